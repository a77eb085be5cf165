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

/** Writes table {@code contended_entry}, from the chains of counts that hang at nodes. */
final class ContentionTable implements ProbeTables {
  private static final int ARRAY = -1;

  private final Arena arena;
  private final Methods methods;
  private final Recording.Classes classes;
  private final int share;
  private final Int32Column context = new Int32Column("context_id");
  private final Int32Column instruction = new Int32Column("instruction_id");
  private final Int32Column classId = new Int32Column("class_id");
  private final Int64Column entries = new Int64Column("n_entries");
  private final Table table;

  ContentionTable(Recording recording, Probe probe) throws IOException {
    arena = recording.arena();
    methods = recording.methods();
    classes = recording.classes();
    share = recording.indexOf(probe);
    table = new Table(recording.out(), "contended_entry", context, instruction, classId, entries);
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

  private void write(int contextId, int place, int head) throws IOException {
    Map<Integer, Long> counts = new TreeMap<>();
    long steps = 0;
    for (int link = head; link != 0; ) {
      long at = Arena.address(link);
      int id = classes.find(arena.getInt(at + RECEIVER_CLASS), ARRAY);
      counts.merge(id, arena.getLong(at + RECEIVER_CALLS), Long::sum);
      link = arena.next(at, ++steps);
    }
    for (Map.Entry<Integer, Long> count : counts.entrySet()) {
      context.add(contextId);
      instruction.addId(place);
      classId.addId(count.getKey());
      entries.add(count.getValue());
      table.endRow();
    }
  }

  @Override
  public void finish() throws IOException {
    table.finish();
  }
}
