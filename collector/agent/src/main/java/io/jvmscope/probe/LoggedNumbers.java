package io.jvmscope.probe;

import java.util.HashSet;
import java.util.Set;

/** The numbers of objects in the log. Threads may log them in another order than they got them. */
final class LoggedNumbers {
  private final Set<Integer> early = new HashSet<>(); // those after one that is missing
  private int whole;
  private int highest;

  void add(int number) {
    highest = Math.max(highest, number);
    if (number != whole + 1) {
      early.add(number);
      return;
    }
    whole++;
    while (!early.isEmpty() && early.remove(whole + 1)) {
      whole++;
    }
  }

  /** The last number such that it and all before it are in the log. */
  int whole() {
    return whole;
  }

  /** What the clock was, at least. */
  int highest() {
    return highest;
  }
}
