package io.jvmscope.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bytes by a window against all sums at once. */
final class ByteClockTest {
  private static final int NUMBERS = 300_000;

  @Test
  void theWindowHasTheSumsOfAllThatWasAllocated() {
    Random random = new Random(7);
    long[] sums = new long[NUMBERS + 1];
    ByteClock clock = new ByteClock();
    int settled = 0;
    for (int number = 1; number <= NUMBERS; number++) {
      long bytes = random.nextInt(1 << 20);
      sums[number] = sums[number - 1] + bytes;
      clock.put(number, bytes);
      if (random.nextInt(50_000) == 0) {
        int last = number - random.nextInt(3); // later ones are not whole yet
        clock.settle(last);
        for (int k = settled; k <= last; k++) {
          assertEquals(sums[k], clock.at(k), "number " + k);
        }
        clock.advance();
        settled = Math.max(settled, last);
      }
    }
    clock.settle(NUMBERS + 5); // numbers whose objects were not logged any more
    assertEquals(sums[NUMBERS], clock.at(NUMBERS));
    assertEquals(sums[NUMBERS], clock.at(NUMBERS + 5));
  }
}
