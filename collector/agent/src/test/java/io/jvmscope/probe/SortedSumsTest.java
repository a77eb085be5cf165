package io.jvmscope.probe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that are added up on the disk are those of a map. */
class SortedSumsTest {
  private static final int MANY = 50_000;
  private static final long[] EDGES = {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE};

  @TempDir Path folder;

  private static List<long[]> rows(SortedSums sums) throws IOException {
    List<long[]> rows = new ArrayList<>();
    sums.forEach(rows::add);
    return rows;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100, 1_000, MANY, SortedSums.MOST_ROWS})
  void sumsAreThoseOfAMap(int mostRows) throws IOException {
    int many = mostRows < 100 ? 300 : MANY;
    Random random = new Random(mostRows);
    Map<long[], long[]> expected = new TreeMap<>(Arrays::compare);
    try (SortedSums sums = new SortedSums(2, 2, mostRows, folder)) {
      for (int k = 0; k < many; k++) {
        long[] key = {EDGES[random.nextInt(EDGES.length)], random.nextInt(many / 10) - many / 20};
        long[] amounts = {1, random.nextInt()};
        long[] sum = expected.computeIfAbsent(key.clone(), x -> new long[2]);
        sum[0] += amounts[0];
        sum[1] += amounts[1];
        sums.add(key, amounts);
      }
      assertEquals((expected.size() - 1) / mostRows > 0, sums.runCount() > 0);
      for (int time = 0; time < 2; time++) {
        List<long[]> found = rows(sums);
        int at = 0;
        for (Map.Entry<long[], long[]> each : expected.entrySet()) {
          long[] row = {each.getKey()[0], each.getKey()[1], each.getValue()[0], each.getValue()[1]};
          assertArrayEquals(row, found.get(at++));
        }
        assertEquals(expected.size(), found.size());
      }
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(0, left.count());
    }
  }

  @Test
  void keysThatBecomeEqualAreAddedUp() throws IOException {
    Map<Long, Long> expected = new TreeMap<>();
    try (SortedSums sums = new SortedSums(1, 1, 64, folder)) {
      for (int left = 5; left > 0; left--) {
        for (long k = 0; k < 1_000; k++) {
          sums.add(new long[] {k}, k);
          expected.merge(k >> left, k, Long::sum);
        }
        sums.rekey((rows, at) -> rows[at] >>= 1);
      }
      Map<Long, Long> found = new TreeMap<>();
      for (long[] row : rows(sums)) {
        assertNull(found.put(row[0], row[1]));
      }
      assertEquals(expected, found);
    }
  }

  @Test
  void nothingHasNoRows() throws IOException {
    try (SortedSums sums = new SortedSums(3, 1, 8, folder)) {
      assertEquals(0, rows(sums).size());
    }
  }
}
