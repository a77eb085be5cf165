package io.jvmscope.watch;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;

/**
 * The numbers of methods with probes. One that was given back is not given out again for a while: a
 * thread may still stand right before the call that has it.
 */
final class Numbers {
  private static final long REST_NS = 10_000_000_000L;

  private final BitSet used = new BitSet();
  private final Deque<long[]> resting = new ArrayDeque<>(); // number, since when

  /** The least free number; -1: there is none. */
  synchronized int take() {
    long now = System.nanoTime();
    while (!resting.isEmpty() && now - resting.peek()[1] > REST_NS) {
      used.clear((int) resting.poll()[0]);
    }
    int number = used.nextClearBit(0);
    if (number >= Probes.MOST) {
      return -1;
    }
    used.set(number);
    return number;
  }

  /**
   * Takes a number back; one that was given back stays so.
   *
   * @param isFree whether others may get it, since no code has it any more
   */
  synchronized void giveBack(int number, boolean isFree) {
    if (Probes.method(number) != null) {
      if (isFree) {
        resting.add(new long[] {number, System.nanoTime()});
      }
      Probes.set(number, null); // last: adding may find no room
    }
  }
}
