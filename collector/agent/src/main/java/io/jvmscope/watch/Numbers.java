package io.jvmscope.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * The numbers of methods with probes. One that was given back is not given out again for a while: a
 * thread may still stand right before the call that has it. In a constructor, that is as long as
 * the call of another one takes; so the number of a method that is still there is only given out
 * again when all others have been.
 */
final class Numbers {
  private static final long REST_NS = 10_000_000_000L;

  // Pairs of a number and since when it rests.
  private final Deque<long[]> ofGone = new ArrayDeque<>();
  private final Deque<long[]> ofRestored = new ArrayDeque<>();
  private final LongSupplier clock;
  private int nUsed;

  /** All numbers; the clock gives nanoseconds. */
  Numbers(LongSupplier clock) {
    this.clock = clock;
  }

  /** A number that stands for no method; -1: there is none. */
  synchronized int take() {
    int number = rested(ofGone);
    if (number < 0 && nUsed < Probes.MOST) {
      return nUsed++;
    }
    return number < 0 ? rested(ofRestored) : number;
  }

  private int rested(Deque<long[]> resting) {
    long[] oldest = resting.peek();
    boolean hasRested = oldest != null && clock.getAsLong() - oldest[1] > REST_NS;
    return hasRested ? (int) resting.poll()[0] : -1;
  }

  /** Takes back the number of a method whose class is gone. */
  void giveBackGone(int number) {
    giveBack(number, ofGone);
  }

  /** Takes back the number of a method whose class is as it was before. */
  void giveBackRestored(int number) {
    giveBack(number, ofRestored);
  }

  /** Has a number stand for nothing. Nobody gets it, as it may still be in code. */
  synchronized void retire(int number) {
    Probes.set(number, null);
  }

  private synchronized void giveBack(int number, Deque<long[]> resting) {
    if (Probes.method(number) != null) { // else it was given back
      resting.add(new long[] {number, clock.getAsLong()});
      Probes.set(number, null); // last: adding may find no room
    }
  }
}
