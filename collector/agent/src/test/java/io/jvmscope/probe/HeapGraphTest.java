package io.jvmscope.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Deaths and references against what a few lines find by trying everything. */
final class HeapGraphTest {
  private static final int OBJECTS = 60;

  @Test
  void objectsDieWithTheLastThatRefersToThem() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      HeapGraph graph = new HeapGraph();
      boolean[][] refers = new boolean[OBJECTS + 1][OBJECTS + 1];
      long[] expected = new long[OBJECTS + 1];
      for (int number = 1; number <= OBJECTS; number++) {
        HeapObject object = new HeapObject(number, 0, -1, -1, false);
        object.stamp = (long) random.nextInt(1000) << 32 | number;
        expected[number] = object.stamp;
        graph.add(object);
      }
      for (int k = 0; k < random.nextInt(3 * OBJECTS); k++) {
        int from = 1 + random.nextInt(OBJECTS);
        int to = 1 + random.nextInt(OBJECTS);
        graph.get(from).refer(k, to);
        refers[from][to] = true;
      }
      settle(refers, expected);

      long clock = random.nextInt(1200);
      Map<Integer, Long> dead = new HashMap<>();
      graph.collect(clock, (object, stamp) -> dead.put(object.number, stamp));

      for (int number = 1; number <= OBJECTS; number++) {
        boolean isAlive = expected[number] >>> 32 > clock;
        assertEquals(isAlive ? null : expected[number], dead.get(number), "seed " + seed);
        assertEquals(isAlive, graph.get(number) != null, "seed " + seed);
      }
    }
  }

  /** Has each object live as long as those that refer to it, until nothing changes. */
  private static void settle(boolean[][] refers, long[] deaths) {
    boolean hasChanged = true;
    while (hasChanged) {
      hasChanged = false;
      for (int from = 1; from <= OBJECTS; from++) {
        for (int to = 1; to <= OBJECTS; to++) {
          if (refers[from][to] && deaths[to] < deaths[from]) {
            deaths[to] = deaths[from];
            hasChanged = true;
          }
        }
      }
    }
  }

  @Test
  void whatStaysIsNotCollected() {
    HeapGraph graph = new HeapGraph();
    HeapObject found = new HeapObject(1, 0, -1, -1, true);
    HeapObject fixed = new HeapObject(2, 0, -1, -1, false);
    HeapObject other = new HeapObject(3, 0, -1, -1, false);
    graph.add(found);
    graph.add(fixed);
    graph.add(other);
    found.refer(7, 3);
    fixed.fixed = 1;
    graph.collect(100, (object, stamp) -> assertEquals(0, object.number));
    assertEquals(3, found.refer(7, 0));
    graph.collect(100, (object, stamp) -> assertEquals(3, object.number));
  }

  @Test
  void anObjectRefersFromManyPlaces() {
    Random random = new Random(1);
    HeapObject object = new HeapObject(1, 0, -1, -1, false);
    Map<Integer, Integer> expected = new HashMap<>();
    for (int k = 0; k < 20_000; k++) {
      int place = random.nextInt(1 + k / 10);
      int target = random.nextInt(5);
      Integer old = expected.put(place, target);
      assertEquals(old == null ? 0 : old, object.refer(place, target));
    }
  }

  @Test
  void lifetimesAreRoundedUpToEightDigits() {
    assertEquals(0, LifetimeRows.roundUp(0));
    assertEquals(255, LifetimeRows.roundUp(255));
    assertEquals(258, LifetimeRows.roundUp(257));
    assertEquals(4 << 20, LifetimeRows.roundUp((4 << 20) - 1));
    assertEquals((4 << 20) + (1 << 15), LifetimeRows.roundUp((4 << 20) + 1));
    assertEquals(100 << 20, LifetimeRows.roundUp(100 << 20));
  }
}
