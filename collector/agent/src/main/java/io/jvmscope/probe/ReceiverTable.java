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

/** Writes table {@code receiver}, from the chains of counts that hang at nodes. */
final class ReceiverTable implements ProbeTables {
  /** In place of the id of a class that no table has: an array's; the last in order. */
  private static final int ARRAY = Integer.MAX_VALUE;

  private final Recording recording;
  private final Arena arena;
  private final Methods methods;
  private final Recording.Classes classes;
  private final int share;
  private final Int32Column context = new Int32Column("context_id");
  private final Int32Column classId = new Int32Column("class_id");
  private final Int64Column calls = new Int64Column("n_calls");
  private final Table table;
  private long unlogged; // calls of objects of classes that are not known
  private final Map<Integer, Long> counts = new TreeMap<>(); // of one context

  ReceiverTable(Recording recording, Probe probe) throws IOException {
    this.recording = recording;
    arena = recording.arena();
    methods = recording.methods();
    classes = recording.classes();
    share = recording.indexOf(probe);
    table = new Table(recording.out(), "receiver", context, classId, calls);
  }

  @Override
  public void write(ContextNode node) throws IOException {
    int at = methods.share(methods.layout(node.method), share);
    if (node.isDispatched && methods.packed()[at] > 0) {
      long slot = node.address + Arena.slot(methods.packed()[at + 1]);
      write(node.id, arena.child(slot), methods.owner(node.method));
    }
  }

  private void write(int contextId, int head, int declaringClass) throws IOException {
    long steps = 0;
    for (int link = head; link != 0; ) {
      long at = Arena.address(link);
      int number = arena.getInt(at + RECEIVER_CLASS);
      int id = classes.find(number, declaringClass);
      unlogged += classes.type(number) < 0 ? arena.getLong(at + RECEIVER_CALLS) : 0;
      counts.merge(id < 0 ? ARRAY : id, arena.getLong(at + RECEIVER_CALLS), Long::sum);
      link = arena.next(at, ++steps);
    }
    for (Map.Entry<Integer, Long> count : counts.entrySet()) {
      context.add(contextId);
      classId.addId(count.getKey() == ARRAY ? -1 : count.getKey());
      calls.add(count.getValue());
      table.endRow();
    }
    counts.clear();
  }

  @Override
  public void finish() throws IOException {
    recording.unlogged().note("receiver", unlogged);
    table.finish();
  }
}
