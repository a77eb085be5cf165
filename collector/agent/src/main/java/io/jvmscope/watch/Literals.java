package io.jvmscope.watch;

import java.util.ArrayList;
import java.util.List;

/**
 * What a condition compares with, by its kind. Inserted code takes it from here, in arrays: a
 * method of the JDK that would be called for it may have a probe, even the one that asks.
 */
final class Literals {
  static final Literals NONE = new Literals(List.of());

  private final long[] integers;
  private final double[] reals;
  private final String[] texts;

  private Literals(List<Object> values) {
    integers = only(values, Long.class).stream().mapToLong(Long::longValue).toArray();
    reals = only(values, Double.class).stream().mapToDouble(Double::doubleValue).toArray();
    texts = only(values, String.class).toArray(new String[0]);
  }

  private static <T> List<T> only(List<Object> values, Class<T> type) {
    return values.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** Those of a condition; null: there is none. */
  static Literals of(Expression condition) {
    List<Object> values = new ArrayList<>();
    if (condition != null) {
      collect(condition, values);
    }
    return new Literals(values);
  }

  private static void collect(Expression part, List<Object> values) {
    switch (part.kind()) {
      case "integer" -> values.add(Long.valueOf(part.text()));
      case "real" -> values.add(Double.valueOf(part.text()));
      case "text" -> values.add(part.text());
      default -> part.operands().forEach(operand -> collect(operand, values));
    }
  }

  /** Where an integer is. */
  int indexOf(long value) {
    int k = 0;
    while (integers[k] != value) {
      k++;
    }
    return k;
  }

  /** Where a floating-point number is. */
  int indexOf(double value) {
    int k = 0;
    while (Double.compare(reals[k], value) != 0) {
      k++;
    }
    return k;
  }

  /** Where a text is. */
  int indexOf(String value) {
    int k = 0;
    while (!texts[k].equals(value)) {
      k++;
    }
    return k;
  }

  /** An integer; 0 where there is none, as others are in by now. */
  long integer(int index) {
    return index < integers.length ? integers[index] : 0;
  }

  /** A floating-point number; 0 where there is none. */
  double real(int index) {
    return index < reals.length ? reals[index] : 0;
  }

  /** A text; empty where there is none. */
  String text(int index) {
    return index < texts.length ? texts[index] : "";
  }
}
