package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.RECEIVER_CALLS;
import static jdk.internal.perf.ArenaLayout.RECEIVER_CLASS;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.Methods;
import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the executions of exception handlers by the class of what they catch. A node has a slot
 * for each basic block that is a handler, in the order of the blocks, with a chain of counts as for
 * receivers.
 */
final class Handlers extends NamedProbe {
  private static final RuntimeMethod CAUGHT =
      new RuntimeMethod("jdk/internal/perf/HandlerProbe", "caught", "(Ljava/lang/Object;JI)V");
  private static final RuntimeMethod[] METHODS = {CAUGHT};

  Handlers() {
    super("handlers");
  }

  /** The basic blocks that are handlers, in order. */
  private static int[] blocksOf(MethodPlan plan) {
    boolean[] handles = new boolean[plan.blocks().count()];
    int count = 0;
    for (ClassFile.Handler handler : plan.method().code().handlers()) {
      int block = plan.blocks().blockOf(plan.blocks().instructionAt(handler.handler()));
      count += handles[block] ? 0 : 1;
      handles[block] = true;
    }
    int[] found = new int[count];
    int n = 0;
    for (int block = 0; block < handles.length; block++) {
      if (handles[block]) {
        found[n++] = block;
      }
    }
    return found;
  }

  @Override
  public int slots(MethodPlan plan) {
    return blocksOf(plan).length;
  }

  @Override
  public RuntimeMethod[] runtimeMethods() {
    return METHODS;
  }

  @Override
  public void atHandler(Code code, int instruction) {
    int[] handlers = blocksOf(code.plan());
    int block = code.plan().blocks().blockOf(instruction);
    int k = 0;
    while (handlers[k] != block) {
      k++;
    }
    code.loadCaught();
    code.loadNode();
    code.pushSlot(code.plan().slotOf(this) + k);
    code.call(CAUGHT);
  }

  /** The first slot, then the keys of the handlers' blocks. */
  @Override
  public int[] pack(MethodPlan plan, FirstKeys keys) {
    int[] handlers = blocksOf(plan);
    if (handlers.length == 0) {
      return NOTHING;
    }
    int[] share = new int[1 + handlers.length];
    share[0] = plan.slotOf(this);
    for (int k = 0; k < handlers.length; k++) {
      share[1 + k] = keys.block() + handlers[k];
    }
    return share;
  }

  @Override
  public ProbeTables tables(Recording recording) throws IOException {
    return new HandlerTable(recording, this);
  }

  /** Writes table {@code context_handler}. */
  private static final class HandlerTable implements ProbeTables {
    private final Arena arena;
    private final Methods methods;
    private final Recording.Classes classes;
    private final int share;
    private final Int32Column context = new Int32Column("context_id");
    private final Int32Column block = new Int32Column("basic_block_id");
    private final Int32Column classId = new Int32Column("class_id");
    private final Int64Column executions = new Int64Column("n_executions");
    private final Table table;

    HandlerTable(Recording recording, Probe probe) throws IOException {
      arena = recording.arena();
      methods = recording.methods();
      classes = recording.classes();
      share = recording.indexOf(probe);
      table = new Table(recording.out(), "context_handler", context, block, classId, executions);
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

    private void write(int contextId, int blockId, int head) throws IOException {
      Map<Integer, Long> counts = new TreeMap<>();
      long steps = 0;
      for (int link = head; link != 0; ) {
        long at = Arena.address(link);
        int id = classes.find(arena.getInt(at + RECEIVER_CLASS), -1);
        if (id >= 0) { // a VM that was killed may not have logged the class
          counts.merge(id, arena.getLong(at + RECEIVER_CALLS), Long::sum);
        }
        link = arena.next(at, ++steps);
      }
      for (Map.Entry<Integer, Long> count : counts.entrySet()) {
        context.add(contextId);
        block.add(blockId);
        classId.add(count.getKey());
        executions.add(count.getValue());
        table.endRow();
      }
    }

    @Override
    public void finish() throws IOException {
      table.finish();
    }
  }
}
