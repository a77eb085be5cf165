package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.RECEIVER_CALLS;
import static jdk.internal.perf.ArenaLayout.RECEIVER_CLASS;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.Methods;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes a table of counts by class at places of contexts. The share of a method is the first slot
 * of its nodes and the keys of its places; at the slot of each place hangs a chain of counts.
 */
final class PlaceCountTable implements ProbeTables {
  private static final int UNKNOWN = -1;

  private final Recording recording;
  private final Arena arena;
  private final Methods methods;
  private final Recording.Classes classes;
  private final int share;
  private final boolean hasUnknown;
  private final Int32Column context = new Int32Column("context_id");
  private final Int32Column place;
  private final Int32Column classId = new Int32Column("class_id");
  private final Int64Column count;
  private final String name;
  private final Table table;
  private long unlogged; // counts of classes that are not known

  /**
   * @param name the table's name
   * @param place the column of the places' keys; null for a key below 0
   * @param count the column of the counts
   * @param hasUnknown whether classes that no table has, as those of arrays, have rows, with a null
   */
  PlaceCountTable(
      Recording recording,
      Probe probe,
      String name,
      Int32Column place,
      Int64Column count,
      boolean hasUnknown)
      throws IOException {
    this.recording = recording;
    arena = recording.arena();
    methods = recording.methods();
    classes = recording.classes();
    share = recording.indexOf(probe);
    this.place = place;
    this.count = count;
    this.hasUnknown = hasUnknown;
    this.name = name;
    table = new Table(recording.out(), name, context, place, classId, count);
  }

  @Override
  public void write(ContextNode node) throws IOException {
    int[] packed = methods.packed();
    int at = methods.share(methods.layout(node.method), share);
    for (int k = 0; k < packed[at] - 1; k++) {
      long slot = node.address + Arena.slot(packed[at + 1] + k);
      write(node.id, packed[at + 2 + k], arena.child(slot));
    }
  }

  private void write(int contextId, int key, int head) throws IOException {
    Map<Integer, Long> counts = new TreeMap<>();
    long steps = 0;
    for (int link = head; link != 0; ) {
      long at = Arena.address(link);
      int number = arena.getInt(at + RECEIVER_CLASS);
      int id = classes.find(number, UNKNOWN);
      unlogged += classes.type(number) < 0 ? arena.getLong(at + RECEIVER_CALLS) : 0;
      if (id >= 0 || hasUnknown) {
        counts.merge(id, arena.getLong(at + RECEIVER_CALLS), Long::sum);
      }
      link = arena.next(at, ++steps);
    }
    for (Map.Entry<Integer, Long> each : counts.entrySet()) {
      context.add(contextId);
      place.addId(key);
      classId.addId(each.getKey());
      count.add(each.getValue());
      table.endRow();
    }
  }

  @Override
  public void finish() throws IOException {
    recording.unlogged().note(name, unlogged);
    table.finish();
  }
}
