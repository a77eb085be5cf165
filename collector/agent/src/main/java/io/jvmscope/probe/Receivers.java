package io.jvmscope.probe;

import io.jvmscope.classfile.MethodPlan;
import java.io.IOException;

/** Counts the calls of a method by the class of their receiver: a chain of counts at one slot. */
final class Receivers extends NamedProbe {
  private static final RuntimeMethod RECEIVE =
      new RuntimeMethod("jdk/internal/perf/ReceiverProbe", "receive", "(Ljava/lang/Object;JI)V");
  private static final RuntimeMethod[] METHODS = {RECEIVE};

  Receivers() {
    super("receivers");
  }

  @Override
  public int slots(MethodPlan plan) {
    return plan.isDispatched() ? 1 : 0;
  }

  @Override
  public RuntimeMethod[] runtimeMethods() {
    return METHODS;
  }

  @Override
  public void atEntry(Code code) {
    if (code.plan().isDispatched()) {
      code.loadThis();
      code.loadNode();
      code.pushSlot(code.plan().slotOf(this));
      code.call(RECEIVE);
    }
  }

  @Override
  public int[] pack(MethodPlan plan, FirstKeys keys) {
    return plan.isDispatched() ? new int[] {plan.slotOf(this)} : NOTHING;
  }

  @Override
  public ProbeTables tables(Recording recording) throws IOException {
    return new ReceiverTable(recording, this);
  }
}
