package io.jvmscope.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Numbers in any order that threads may log them. */
final class LoggedNumbersTest {
  @Test
  void numbersAfterSeveralGapsAreNotForgotten() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      List<Integer> waiting = new ArrayList<>();
      LoggedNumbers numbers = new LoggedNumbers();
      TreeSet<Integer> logged = new TreeSet<>();
      for (int number = 1; number <= 500; number++) {
        waiting.add(number);
        while (waiting.size() > random.nextInt(6)) {
          int next = waiting.remove(random.nextInt(waiting.size()));
          numbers.add(next);
          logged.add(next);
          assertEquals(logged.last(), numbers.highest());
          assertEquals(wholeOf(logged), numbers.whole(), "seed " + seed);
        }
      }
    }
  }

  private static int wholeOf(TreeSet<Integer> logged) {
    int whole = 0;
    while (logged.contains(whole + 1)) {
      whole++;
    }
    return whole;
  }
}
