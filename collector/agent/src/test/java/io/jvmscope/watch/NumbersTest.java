package io.jvmscope.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Code that still has a number would count for whoever gets it next. */
final class NumbersTest {
  private static final long LONG = 11_000_000_000L;
  private static final Probe PROBE = new Probe(0, null, null, null, Literals.NONE, false, false);

  private long now;
  private final Numbers numbers = new Numbers(() -> now);

  private int take() {
    int number = numbers.take();
    if (number >= 0) {
      Probes.set(number, new ProbedMethod(number, 0, PROBE));
    }
    return number;
  }

  private void giveBack(int number, BiConsumer<Numbers, Integer> how) {
    how.accept(numbers, number);
    assertNull(Probes.method(number));
    how.accept(numbers, number); // again, after an error
  }

  @AfterEach
  void forget() {
    for (int k = 0; k < Probes.MOST; k++) {
      Probes.set(k, null);
    }
  }

  @Test
  void oneOfAMethodThatIsGoneRestsForAWhile() {
    final int number = take();
    giveBack(number, Numbers::giveBackGone);
    assertEquals(number + 1, take());
    now += LONG;
    assertEquals(number, take());
    assertEquals(number + 2, take());
  }

  @Test
  void oneOfAMethodThatIsThereIsTheLastToBeGivenOut() {
    final int number = take();
    giveBack(number, Numbers::giveBackRestored);
    now += LONG;
    for (int k = 1; k < Probes.MOST; k++) {
      assertEquals(number + k, take());
    }
    assertEquals(number, take());
    giveBack(number, Numbers::giveBackRestored);
    assertEquals(-1, take()); // it has not rested
    now += LONG;
    assertEquals(number, take());
    assertEquals(-1, take());
  }

  @Test
  void oneThatMayStillBeInCodeIsNotGivenOut() {
    giveBack(take(), Numbers::retire);
    now += LONG;
    for (int k = 1; k < Probes.MOST; k++) {
      assertEquals(k, take());
    }
    now += LONG;
    assertEquals(-1, take());
  }
}
