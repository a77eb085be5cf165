package io.jvmscope.dump;

import static jdk.internal.perf.ArenaLayout.RECEIVER_CALLS;
import static jdk.internal.perf.ArenaLayout.RECEIVER_CLASS;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** Writes table {@code receiver}, from the chains of counts that hang at nodes. */
final class ReceiverTable {
  /** In place of the id of a class that no table has: an array's; the last in order. */
  private static final int ARRAY = Integer.MAX_VALUE;

  private final Arena arena;
  private final Methods methods;
  private final ReceiverClasses classes;
  private final Int32Column context = new Int32Column("context_id");
  private final Int32Column classId = new Int32Column("class_id");
  private final Int64Column calls = new Int64Column("n_calls");
  private final Table table;
  private final Map<Integer, Long> counts = new TreeMap<>(); // of one context

  ReceiverTable(FrameWriter out, Arena arena, Methods methods, ReceiverClasses classes)
      throws IOException {
    this.arena = arena;
    this.methods = methods;
    this.classes = classes;
    table = new Table(out, "receiver", context, classId, calls);
  }

  /** Writes the counts of a context's node, if it has any. */
  void write(int contextId, long node, int layout, int declaringClass) throws IOException {
    int slot = methods.packed()[layout + Methods.RECEIVERS];
    int head = slot < 0 ? 0 : arena.child(node + Arena.slot(slot));
    long steps = 0;
    for (int link = head; link != 0; ) {
      long at = Arena.address(link);
      int id = classes.find(arena.getInt(at + RECEIVER_CLASS), declaringClass);
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

  void finish() throws IOException {
    table.finish();
  }
}
