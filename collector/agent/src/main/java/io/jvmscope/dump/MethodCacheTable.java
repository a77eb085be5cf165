package io.jvmscope.dump;

import io.jvmscope.classfile.MethodPlan;
import java.io.IOException;
import java.util.List;

/** Writes table {@code method_cache}: what the simulated cache did, from the nodes' counters. */
final class MethodCacheTable {
  private final Arena arena;
  private final Methods methods;
  private final Int32Column context = new Int32Column("context_id");
  private final List<Int64Column> counts =
      List.of(
          new Int64Column("n_call_hits"),
          new Int64Column("n_call_misses"),
          new Int64Column("n_return_hits"),
          new Int64Column("n_return_misses"),
          new Int64Column("n_catch_hits"),
          new Int64Column("n_catch_misses"));
  private final Table table;

  MethodCacheTable(FrameWriter out, Arena arena, Methods methods) throws IOException {
    this.arena = arena;
    this.methods = methods;
    Column[] columns = new Column[1 + MethodPlan.CACHE_COUNTERS];
    columns[0] = context;
    for (int k = 0; k < counts.size(); k++) {
      columns[1 + k] = counts.get(k);
    }
    table = new Table(out, "method_cache", columns);
  }

  /** Writes the row of a context's node, if the cache was asked there. */
  void write(int contextId, long node, int layout) throws IOException {
    int offset = methods.packed()[layout + Methods.CACHE];
    if (offset == 0) {
      return;
    }
    long total = 0;
    for (int k = 0; k < counts.size(); k++) {
      total |= arena.getLong(node + offset + 8L * k);
    }
    if (total == 0) {
      return;
    }
    context.add(contextId);
    for (int k = 0; k < counts.size(); k++) {
      counts.get(k).add(arena.getLong(node + offset + 8L * k));
    }
    table.endRow();
  }

  void finish() throws IOException {
    table.finish();
  }
}
