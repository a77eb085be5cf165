package io.jvmscope.dump;

import io.jvmscope.arena.ThreadRoot;
import io.jvmscope.tables.BoolColumn;
import io.jvmscope.tables.CodeColumn;
import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Table;
import io.jvmscope.tables.TextColumn;
import java.io.IOException;
import java.util.List;

/** Writes table {@code thread}. */
final class ThreadWriter {
  private final Int32Column thread = new Int32Column("thread_id");
  private final TextColumn name = new TextColumn("name");
  private final CodeColumn kind = new CodeColumn("kind", List.of("platform", "virtual"));
  private final Int32Column startOrder = new Int32Column("start_order");
  private final Int32Column rootContext = new Int32Column("root_context_id");
  private final BoolColumn isDaemon = new BoolColumn("is_daemon");
  private final BoolColumn isVmInternal = new BoolColumn("is_vm_internal");
  private final Table table;

  ThreadWriter(FrameWriter out) throws IOException {
    table =
        new Table(
            out, "thread", thread, name, kind, startOrder, rootContext, isDaemon, isVmInternal);
  }

  void write(ThreadRoot root, int id, int rootContextId) throws IOException {
    thread.add(id);
    name.add(root.name());
    kind.add(root.kind() & 1);
    startOrder.add(id);
    rootContext.add(rootContextId);
    isDaemon.add(root.isDaemon());
    isVmInternal.add(root.isVmInternal());
    table.endRow();
  }

  void finish() throws IOException {
    table.finish();
  }
}
