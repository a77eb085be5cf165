package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.CACHE_BYTES;
import static jdk.internal.perf.ArenaLayout.COUNTERS;

import io.jvmscope.classfile.MethodPlan;
import java.io.IOException;
import java.util.Map;

/**
 * Simulates the method cache of a processor, and counts in the nodes what it did: calls of the
 * method, its returns and its catches, of each those whose method the cache had and those whose
 * method it had not.
 */
final class MethodCacheProbe implements Probe {
  private static final String RUNTIME = "jdk/internal/perf/MethodCache";
  private static final RuntimeMethod CALL =
      new RuntimeMethod(RUNTIME, "cacheCall", "(Ljava/lang/Thread;JIII)V");
  private static final RuntimeMethod RETURN =
      new RuntimeMethod(RUNTIME, "cacheReturn", "(Ljava/lang/Thread;JJII)V");
  private static final RuntimeMethod CATCH =
      new RuntimeMethod(RUNTIME, "cacheCatch", "(Ljava/lang/Thread;JIII)V");
  private static final RuntimeMethod[] METHODS = {CALL, RETURN, CATCH};

  private final CacheShape shape; // null: nobody has chosen one

  MethodCacheProbe(CacheShape shape) {
    this.shape = shape;
  }

  @Override
  public String option() {
    return "method_cache";
  }

  @Override
  public Probe chosenBy(Map<String, String> options) {
    CacheShape chosen = CacheShape.parse(options.get(option()));
    return chosen == null ? null : new MethodCacheProbe(chosen);
  }

  @Override
  public int counters(MethodPlan plan) {
    return CACHE_BYTES / 8;
  }

  @Override
  public RuntimeMethod[] runtimeMethods() {
    return METHODS;
  }

  @Override
  public void atEntry(Code code) {
    ask(code, CALL);
  }

  @Override
  public void atHandler(Code code, int instruction) {
    ask(code, CATCH);
  }

  private void ask(Code code, RuntimeMethod method) {
    code.loadThread();
    code.loadNode();
    code.pushMethod();
    code.push(shapeOf(code.plan()));
    code.pushCounter(code.plan().counterOf(this));
    code.call(method);
  }

  @Override
  public void atReturn(Code code) {
    code.loadThread();
    code.loadNode();
    code.loadCallersSlot();
    code.push(shapeOf(code.plan()) & 0xFFFF);
    code.pushCounter(code.plan().counterOf(this));
    code.call(RETURN);
  }

  private int shapeOf(MethodPlan plan) {
    return shape.shapeOf(plan.method().code().length());
  }

  /** The offset of its counters from the node. */
  @Override
  public int[] pack(MethodPlan plan, FirstKeys keys) {
    return new int[] {COUNTERS + 8 * plan.counterOf(this)};
  }

  @Override
  public ProbeTables tables(Recording recording) throws IOException {
    return new MethodCacheTable(recording, this);
  }

  @Override
  public String toString() {
    return option() + "=" + shape;
  }
}
