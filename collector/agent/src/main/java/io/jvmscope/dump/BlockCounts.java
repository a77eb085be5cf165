package io.jvmscope.dump;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.Methods;
import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import java.io.IOException;

/** Writes how often the blocks of a context ran, and adds them to the thread's totals. */
final class BlockCounts {
  private final Arena arena;
  private final Methods methods;
  private final ThreadTotals totals;

  private final Int32Column context = new Int32Column("context_id");
  private final Int32Column block = new Int32Column("basic_block_id");
  private final Int64Column executions = new Int64Column("n_executions");
  private final Table blocks;

  BlockCounts(FrameWriter out, Arena arena, Methods methods, ThreadTotals totals)
      throws IOException {
    this.arena = arena;
    this.methods = methods;
    this.totals = totals;
    blocks = new Table(out, "context_block", context, block, executions);
  }

  /** Writes the counts of a node; the number of bytecodes that it executed. */
  long write(int contextId, long node, int layout) throws IOException {
    int[] packed = methods.packed();
    int first = packed[layout + Methods.FIRST_BLOCK];
    int at = layout + Methods.HEAD_INTS;
    long nBytecodes = 0;
    for (int i = 0; i < packed[layout + Methods.BLOCKS]; i++, at += Methods.BLOCK_INTS) {
      long n = arena.getLong(node + packed[at]);
      if (n != 0) {
        nBytecodes += n * packed[at + 1];
        context.add(contextId);
        block.add(first + i);
        executions.add(n);
        blocks.endRow();
        totals.addBlock(first + i, n);
      }
    }
    return nBytecodes;
  }

  void finish() throws IOException {
    blocks.finish();
  }
}
