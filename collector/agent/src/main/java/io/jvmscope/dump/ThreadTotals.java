package io.jvmscope.dump;

import io.jvmscope.arena.Methods;
import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import java.io.IOException;
import java.util.Arrays;

/** Calls, bytecodes and block executions of one thread at a time, by method and block. */
final class ThreadTotals {
  private final Methods methods;
  private final long[] calls;
  private final long[] bytecodes;
  private final long[] blocks;
  private final boolean[] isTouched;
  private int[] touched = new int[1024];
  private int count;

  private final Int32Column methodThread = new Int32Column("thread_id");
  private final Int32Column method = new Int32Column("method_id");
  private final Int64Column methodCalls = new Int64Column("n_calls");
  private final Int64Column methodBytecodes = new Int64Column("n_bytecodes");
  private final Table methodTable;

  private final Int32Column blockThread = new Int32Column("thread_id");
  private final Int32Column block = new Int32Column("basic_block_id");
  private final Int64Column blockExecutions = new Int64Column("n_executions");
  private final Table blockTable;

  ThreadTotals(FrameWriter out, Methods methods) throws IOException {
    this.methods = methods;
    calls = new long[methods.count()];
    bytecodes = new long[methods.count()];
    blocks = new long[methods.firstBlock(methods.count())];
    isTouched = new boolean[methods.count()];
    methodTable =
        new Table(out, "thread_method", methodThread, method, methodCalls, methodBytecodes);
    blockTable = new Table(out, "thread_block", blockThread, block, blockExecutions);
  }

  /** Adds a context of the method. */
  void addMethod(int id, long nCalls, long nBytecodes) {
    if (!isTouched[id]) {
      touch(id);
    }
    calls[id] += nCalls;
    bytecodes[id] += nBytecodes;
  }

  private void touch(int id) {
    isTouched[id] = true;
    if (count == touched.length) {
      touched = Arrays.copyOf(touched, 2 * count);
    }
    touched[count++] = id;
  }

  void addBlock(int id, long nExecutions) {
    blocks[id] += nExecutions;
  }

  /** Writes the totals of a thread and starts again from zero. */
  void endThread(int thread) throws IOException {
    Arrays.sort(touched, 0, count);
    for (int i = 0; i < count; i++) {
      int id = touched[i];
      methodThread.add(thread);
      method.add(id);
      methodCalls.add(calls[id]);
      methodBytecodes.add(bytecodes[id]);
      methodTable.endRow();
      writeBlocks(thread, id);
      calls[id] = 0;
      bytecodes[id] = 0;
      isTouched[id] = false;
    }
    count = 0;
  }

  private void writeBlocks(int thread, int id) throws IOException {
    for (int b = methods.firstBlock(id); b < methods.firstBlock(id + 1); b++) {
      if (blocks[b] != 0) {
        blockThread.add(thread);
        block.add(b);
        blockExecutions.add(blocks[b]);
        blockTable.endRow();
        blocks[b] = 0;
      }
    }
  }

  void finish() throws IOException {
    methodTable.finish();
    blockTable.finish();
  }
}
