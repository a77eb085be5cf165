package io.jvmscope.classfile;

/** Where the thread's slot must be the method's own. */
final class OwnSlotNeeds {
  private final MethodPlan plan;
  private final BasicBlocks blocks;

  /** Takes a plan whose sites are known. */
  OwnSlotNeeds(MethodPlan plan) {
    this.plan = plan;
    this.blocks = plan.blocks();
  }

  /**
   * Before which instructions must the thread's slot be the method's own? Backwards over the
   * control flow: needed before an instruction that may make the VM call Java, not before one that
   * sets the slot itself (a call) or gives it back (a return).
   */
  boolean[] find() {
    int n = blocks.instructionCount();
    boolean[] needs = new boolean[n + 1];
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = n - 1; i >= 0; i--) {
        boolean need = need(i, needs);
        changed |= need != needs[i];
        needs[i] = need;
      }
    }
    return needs;
  }

  private boolean need(int i, boolean[] needs) {
    int opcode = blocks.opcode(i);
    MethodPlan.Site site = plan.siteAt(i);
    if (site != null && site.kind() != MethodPlan.SiteKind.LEAF || Opcodes.isReturn(opcode)) {
      return false;
    }
    if (plan.isThrowing(i) && !plan.isSilentLeaf(i) || blocks.isRet(i)) {
      return true;
    }
    boolean need = !blocks.endsFlow(i) && needs[i + 1];
    for (int target : blocks.targets(i)) {
      need |= needs[target];
    }
    return need;
  }
}
