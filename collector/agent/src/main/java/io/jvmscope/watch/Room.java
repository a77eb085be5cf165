package io.jvmscope.watch;

/**
 * Whether the heap was full a moment ago. Whoever tries to find room there has the VM collect all
 * of it first, so with a try at each invocation a program would hardly go on.
 *
 * <p>Whoever catches an error looks at its kind before it calls this: where a stack is full, a call
 * more would throw another.
 */
final class Room {
  private static final long PAUSE_NS = 100_000_000L;
  private static final long NOT_FULL = 0;

  private static volatile long fullUntil = NOT_FULL;

  private Room() {}

  /** Whether it is too early to try again. */
  static boolean isFull() {
    long until = fullUntil;
    return until != NOT_FULL && isFull(until);
  }

  private static boolean isFull(long until) {
    if (System.nanoTime() - until < 0) {
      return true;
    }
    fullUntil = NOT_FULL;
    return false;
  }

  /** Has everybody try again. */
  static void forget() {
    fullUntil = NOT_FULL;
  }

  /** Has nobody try for a while. */
  static void rest() {
    fullUntil = System.nanoTime() + PAUSE_NS | 1; // never the value of a heap that is not full
  }
}
