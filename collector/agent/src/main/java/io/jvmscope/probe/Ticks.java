package io.jvmscope.probe;

import java.util.Map;

/** Counts the bytecodes of each thread, for a consumer of its tree. */
final class Ticks implements Probe {
  private static final String RUNTIME = "jdk/internal/perf/TickProbe";
  private static final RuntimeMethod TICK =
      new RuntimeMethod(RUNTIME, "tick", "(Ljava/lang/Thread;JI)V");
  private static final RuntimeMethod TICK_OR_TELL =
      new RuntimeMethod(RUNTIME, "tickOrTell", "(Ljava/lang/Thread;JI)V");
  private static final RuntimeMethod[] METHODS = {TICK, TICK_OR_TELL};

  @Override
  public String option() {
    return "consumer";
  }

  @Override
  public Probe chosenBy(Map<String, String> options) {
    return options.containsKey(option()) ? this : null;
  }

  @Override
  public RuntimeMethod[] runtimeMethods() {
    return METHODS;
  }

  @Override
  public void atSegment(Code code, int segment) {
    code.loadThread();
    code.loadNode();
    code.push(code.plan().segmentLength(segment));
    code.call(code.isJdk() ? TICK : TICK_OR_TELL);
  }

  @Override
  public String toString() {
    return "ticks";
  }
}
