package io.jvmscope.dump;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers texts, each once; and, in numbers of their own, methods by name and descriptor. */
final class Symbols {
  private static final int RECENT = 1 << 12;

  /** Odd, so that products differ; Long's hash code would be the same for many pairs of numbers. */
  private static final int SPREAD = 0x9E37_79B1;

  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> texts = new ArrayList<>();
  private final Map<Long, Integer> methods = new HashMap<>(); // by the numbers of both texts

  // What was asked for last: a class file asks for its texts, which are always the same objects,
  // again and again, and comparing their characters is what costs.
  private final String[] recent = new String[RECENT];
  private final int[] recentNumbers = new int[RECENT];

  /** The number of a text; -1 for null. */
  int of(String text) {
    if (text == null) {
      return -1;
    }
    int at = text.hashCode() & RECENT - 1;
    if (recent[at] != text) { // the same object, not an equal one
      recentNumbers[at] = find(text);
      recent[at] = text;
    }
    return recentNumbers[at];
  }

  private int find(String text) {
    Integer known = numbers.get(text);
    if (known != null) {
      return known;
    }
    numbers.put(text, texts.size());
    texts.add(text);
    return texts.size() - 1;
  }

  /** The number of methods of a name and descriptor. */
  int ofMethod(String name, String descriptor) {
    long key = (long) of(name) << 32 | of(descriptor) * SPREAD & 0xFFFF_FFFFL;
    Integer known = methods.get(key);
    if (known != null) {
      return known;
    }
    methods.put(key, methods.size());
    return methods.size() - 1;
  }

  /** How many texts have numbers. */
  int size() {
    return texts.size();
  }

  /** The text of a number; null for -1. */
  String text(int number) {
    return number < 0 ? null : texts.get(number);
  }
}
