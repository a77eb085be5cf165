package io.jvmscope.watch;

/**
 * What the code of conditions calls, beside methods of {@link String}. Whatever this calls of the
 * JDK is of a class that gets no probes ({@link Refusals}), or a condition would count as calls.
 */
public final class Conditions {
  private Conditions() {}

  /** An integer of a condition. */
  public static long integer(int number, int index) {
    ProbedMethod method = Probes.method(number);
    return method == null ? 0 : method.probe.literals().integer(index);
  }

  /** A floating-point number of a condition. */
  public static double real(int number, int index) {
    ProbedMethod method = Probes.method(number);
    return method == null ? 0 : method.probe.literals().real(index);
  }

  /** A text of a condition. */
  public static String text(int number, int index) {
    ProbedMethod method = Probes.method(number);
    return method == null ? "" : method.probe.literals().text(index);
  }

  /** The name of the current thread. */
  public static String threadName() {
    return Thread.currentThread().getName();
  }

  /** The number of the current thread; 0: it does not tell. */
  public static long threadId() {
    return ThreadFacts.number(Thread.currentThread());
  }

  /** Whether the current thread is virtual. */
  public static boolean isThreadVirtual() {
    return ThreadFacts.isVirtual(Thread.currentThread());
  }

  /** Whether the current thread is a daemon. */
  public static boolean isThreadDaemon() {
    return Thread.currentThread().isDaemon();
  }

  /** The name of the current thread's group. */
  public static String threadGroup() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    return group == null ? null : group.getName();
  }

  /** Whether two references are the same, or of equal texts. */
  public static boolean areEqual(Object one, Object other) {
    return one == other || one instanceof String && one.equals(other);
  }
}
