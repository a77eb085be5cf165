package jdk.internal.perf;

import jdk.internal.vm.annotation.Hidden;

/**
 * The times of the permits of a semaphore that was made without any, so that each permit is a
 * signal of whoever releases it: the first to be released is the first to be acquired. A semaphore
 * that was made with permits guards something, as a lock does, and has no such times.
 */
final class ClockPermits {
  private static final int FIRST_CAPACITY = 8;

  private long[] times = new long[FIRST_CAPACITY];
  private int first;
  private int size;

  private ClockPermits() {}

  /** The times of a new semaphore; null if it guards something. */
  @Hidden
  static Object of(int permits) {
    return permits > 0 ? null : new ClockPermits();
  }

  /** Adds permits, which is done while {@link ClockMessages} holds its lock. */
  @Hidden
  void add(int permits, long time) {
    for (int k = 0; k < permits; k++) {
      if (size == times.length) {
        grow();
      }
      times[(first + size++) % times.length] = time;
    }
  }

  @Hidden
  private void grow() {
    long[] grown = new long[2 * size];
    for (int k = 0; k < size; k++) {
      grown[k] = times[(first + k) % size];
    }
    times = grown;
    first = 0;
  }

  /** Takes permits, under the same lock; the latest of their times. */
  @Hidden
  long take(int permits) {
    long latest = 0L;
    for (int k = 0; k < permits && size > 0; k++) {
      long time = times[first];
      latest = time > latest ? time : latest;
      first = (first + 1) % times.length;
      size--;
    }
    return latest;
  }
}
