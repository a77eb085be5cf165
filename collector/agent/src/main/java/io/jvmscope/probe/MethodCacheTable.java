package io.jvmscope.probe;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.Methods;
import io.jvmscope.tables.Column;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import java.io.IOException;
import java.util.List;

/** Writes table {@code method_cache}: what the simulated cache did, from the nodes' counters. */
final class MethodCacheTable implements ProbeTables {
  private final Arena arena;
  private final Methods methods;
  private final int share;
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

  MethodCacheTable(Recording recording, Probe probe) throws IOException {
    arena = recording.arena();
    methods = recording.methods();
    share = recording.indexOf(probe);
    Column[] columns = new Column[1 + counts.size()];
    columns[0] = context;
    for (int k = 0; k < counts.size(); k++) {
      columns[1 + k] = counts.get(k);
    }
    table = new Table(recording.out(), "method_cache", columns);
  }

  /** Writes the row of a context, if the cache was asked there. */
  @Override
  public void write(ContextNode node) throws IOException {
    int at = methods.share(methods.layout(node.method), share);
    if (methods.packed()[at] == 0) {
      return;
    }
    long counters = node.address + methods.packed()[at + 1];
    long total = 0;
    for (int k = 0; k < counts.size(); k++) {
      total |= arena.getLong(counters + 8L * k);
    }
    if (total == 0) {
      return;
    }
    context.add(node.id);
    for (int k = 0; k < counts.size(); k++) {
      counts.get(k).add(arena.getLong(counters + 8L * k));
    }
    table.endRow();
  }

  @Override
  public void finish() throws IOException {
    table.finish();
  }
}
