package io.jvmscope.dump;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers texts, each once. */
final class Symbols {
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> texts = new ArrayList<>();

  /** The number of a text; -1 for null. */
  int of(String text) {
    if (text == null) {
      return -1;
    }
    Integer known = numbers.putIfAbsent(text, texts.size());
    if (known == null) {
      texts.add(text);
      return texts.size() - 1;
    }
    return known;
  }

  /** The text of a number; null for -1. */
  String text(int number) {
    return number < 0 ? null : texts.get(number);
  }
}
