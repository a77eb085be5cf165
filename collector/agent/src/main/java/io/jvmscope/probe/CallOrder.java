package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.CELLS_SLOT;

import io.jvmscope.classfile.MethodPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps, per thread, what each call site and branch did last: cells that all nodes of a method in a
 * thread share, one for each site that has a slot, then one for each branch.
 */
final class CallOrder extends NamedProbe {
  private static final String RUNTIME = "jdk/internal/perf/OrderProbe";
  private static final RuntimeMethod KEEP_ORDER =
      new RuntimeMethod(RUNTIME, "keepOrder", "(Ljava/lang/Thread;JII)V");
  private static final RuntimeMethod KEEP_LOADING =
      new RuntimeMethod(RUNTIME, "keepLoading", "(JI)V");
  private static final RuntimeMethod SUCCEED =
      new RuntimeMethod(RUNTIME, "succeed", "(Ljava/lang/Object;J)V");
  private static final RuntimeMethod SUCCEED_LOADING =
      new RuntimeMethod(RUNTIME, "succeedLoading", "(Ljava/lang/Object;J)V");
  private static final RuntimeMethod BRANCH = new RuntimeMethod(RUNTIME, "branch", "(JII)V");
  private static final RuntimeMethod[] METHODS = {
    KEEP_ORDER, KEEP_LOADING, SUCCEED, SUCCEED_LOADING, BRANCH
  };

  private static final String LOAD_CLASS = "loadClass";
  private static final String LOAD_DESCRIPTOR = "(Ljava/lang/String;)Ljava/lang/Class;";

  CallOrder() {
    super("order");
  }

  @Override
  public int sharedSlots() {
    return CELLS_SLOT; // the one behind the own slot
  }

  @Override
  public RuntimeMethod[] runtimeMethods() {
    return METHODS;
  }

  @Override
  public void atEntry(Code code) {
    MethodPlan plan = code.plan();
    int cells = plan.siteSlotCount() + plan.branches().size();
    if (cells > 0) {
      code.loadThread();
      code.loadNode();
      code.push(cells);
      List<Integer> loading = loadingSlots(plan);
      code.push(loading.size());
      code.call(KEEP_ORDER);
      for (int k = 0; k < loading.size(); k++) {
        code.loadNode();
        code.push(loading.get(k));
        code.call(KEEP_LOADING);
      }
    }
    if (plan.isDispatched()) {
      boolean isLoadClass =
          plan.method().name().equals(LOAD_CLASS)
              && plan.method().descriptor().equals(LOAD_DESCRIPTOR);
      code.loadThis();
      code.loadNode();
      code.call(isLoadClass ? SUCCEED_LOADING : SUCCEED);
    }
  }

  /** The slots whose sites name loadClass. */
  private static List<Integer> loadingSlots(MethodPlan plan) {
    List<Integer> slots = new ArrayList<>();
    for (MethodPlan.Site site : plan.sites()) {
      if (site.kind() != MethodPlan.SiteKind.LEAF
          && plan.names(site, LOAD_CLASS, LOAD_DESCRIPTOR)) {
        slots.add(site.index());
      }
    }
    return slots;
  }

  @Override
  public boolean followsBranches() {
    return true;
  }

  @Override
  public void atBranch(Code code, int branch, int way) {
    code.loadNode();
    code.push(code.plan().siteSlotCount() + branch);
    code.push(way);
    code.call(BRANCH);
  }

  /** The keys of the instructions that branch. */
  @Override
  public int[] pack(MethodPlan plan, FirstKeys keys) {
    int[] branches = new int[plan.branches().size()];
    for (int k = 0; k < branches.length; k++) {
      branches[k] = keys.instruction() + plan.branches().get(k);
    }
    return branches;
  }

  @Override
  public ProbeTables tables(Recording recording) throws IOException {
    return new OrderTables(recording, this);
  }
}
