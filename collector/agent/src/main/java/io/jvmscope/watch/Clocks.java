package io.jvmscope.watch;

import java.time.Instant;

/** The clock of the day and the one that measures. */
final class Clocks {
  private static final long NS_PER_S = 1_000_000_000L;
  private static final int ATTEMPTS = 5;

  private Clocks() {}

  /** Nanoseconds since 1970. */
  static long now() {
    Instant now = Instant.now();
    return now.getEpochSecond() * NS_PER_S + now.getNano();
  }

  /**
   * Nanoseconds since 1970 when {@link System#nanoTime} was zero. Of some attempts it takes the one
   * that nothing has interrupted.
   */
  static long clockSince1970() {
    long shortest = Long.MAX_VALUE;
    long found = 0;
    for (int k = 0; k < ATTEMPTS; k++) {
      long before = System.nanoTime();
      long now = now();
      long took = System.nanoTime() - before;
      if (took < shortest) {
        shortest = took;
        found = now - before - took / 2;
      }
    }
    return found;
  }
}
