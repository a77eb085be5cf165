package io.jvmscope.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ticks that double against ticks of the last length. */
final class PresenceRowsTest {
  private static final int EVENTS = 20_000;

  @ParameterizedTest
  @ValueSource(ints = {16, 300, SortedSums.MOST_ROWS}) // most are on the disk, some, none
  void ticksThatDoubledHaveWhatTicksOfTheirLengthWouldHave(int mostRows, @TempDir Path folder)
      throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      long most = 1L << 3 + 2 * seed;
      long[][] events = new long[EVENTS][];
      PresenceRows rows = new PresenceRows(mostRows, folder);
      long last = 0;
      for (int k = 0; k < EVENTS; k++) {
        long clock = 1 + (random.nextLong() & most - 1);
        events[k] = new long[] {random.nextInt(5), clock, random.nextInt(100), random.nextInt(2)};
        last = Math.max(last, clock);
        if (events[k][3] == 0) {
          rows.born((int) events[k][0], clock, events[k][2]);
        } else {
          rows.died((int) events[k][0], clock, events[k][2]);
        }
      }
      long length = 1024;
      while (length * PresenceRows.TICKS < last) {
        length *= 2;
      }
      assertEquals(length, rows.tickBytes());
      Map<String, String> expected = new TreeMap<>();
      Map<String, long[]> sums = new TreeMap<>();
      for (long[] event : events) {
        long end = (event[1] + length - 1) / length * length;
        long[] sum = sums.computeIfAbsent(event[0] + " " + end, k -> new long[4]);
        sum[2 * (int) event[3]]++;
        sum[2 * (int) event[3] + 1] += event[2];
      }
      sums.forEach((key, sum) -> expected.put(key, Arrays.toString(sum)));
      Map<String, String> found = new TreeMap<>();
      rows.forEach((context, end, sum) -> found.put(context + " " + end, Arrays.toString(sum)));
      assertEquals(expected, found, "seed " + seed);
      rows.close();
    }
  }
}
