package io.jvmscope.probe;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import java.io.IOException;

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
    return new PlaceCountTable(
        recording,
        this,
        "context_handler",
        new Int32Column("basic_block_id"),
        new Int64Column("n_executions"),
        false); // a VM that was killed may not have logged the class
  }
}
