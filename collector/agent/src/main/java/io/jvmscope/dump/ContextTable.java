package io.jvmscope.dump;

import io.jvmscope.tables.BoolColumn;
import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import java.io.IOException;

/** Writes table {@code context}; its key counts the rows. */
final class ContextTable {
  private final Int32Column context = new Int32Column("context_id");
  private final Int32Column parent = new Int32Column("parent_id");
  private final Int32Column thread = new Int32Column("thread_id");
  private final Int32Column method = new Int32Column("method_id");
  private final Int32Column callSite = new Int32Column("call_site_id");
  private final Int32Column depth = new Int32Column("depth");
  private final Int32Column size = new Int32Column("size");
  private final Int64Column calls = new Int64Column("n_calls");
  private final Int64Column bytecodes = new Int64Column("n_bytecodes");
  private final Int32Column ancestor = new Int32Column("ancestor_id");
  private final BoolColumn folded = new BoolColumn("is_folded");
  private final Table table;
  private int nextId;

  ContextTable(FrameWriter out) throws IOException {
    table =
        new Table(
            out, "context", context, parent, thread, method, callSite, depth, size, calls,
            bytecodes, ancestor, folded);
  }

  /** The key of the next row. */
  int nextId() {
    return nextId;
  }

  /** Adds a row up to its site; negative ids are null. */
  void place(int parentId, int threadId, int methodId, int callSiteId, int atDepth) {
    context.add(nextId);
    parent.addId(parentId);
    thread.add(threadId);
    method.addId(methodId);
    callSite.addId(callSiteId);
    depth.add(atDepth);
  }

  /** Ends the row. */
  void count(int nodes, long nCalls, long nBytecodes, int ancestorId, boolean isFolded)
      throws IOException {
    size.add(nodes);
    calls.add(nCalls);
    bytecodes.add(nBytecodes);
    ancestor.addId(ancestorId);
    folded.add(isFolded);
    table.endRow();
    nextId++;
  }

  void finish() throws IOException {
    table.finish();
  }
}
