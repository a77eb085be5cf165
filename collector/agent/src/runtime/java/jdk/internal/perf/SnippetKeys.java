package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.FIRST_IS_OBJECT;
import static jdk.internal.perf.ArenaLayout.SECOND_IS_OBJECT;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The keys under which snippets count, each with a number: a column of counts, and the values of
 * the other columns. The agent notes each when it is new, so that a killed VM leaves them all.
 *
 * <p>The kinds of a column's values: i whole numbers of 32 bits, l of 64, t text, b true or false,
 * s places in code, c classes; in upper case they may be null.
 */
final class SnippetKeys {
  private static final int MOST = 1 << 20;
  private static final int MOST_TEXT = 1 << 10;
  private static final String FAILURE = "t";

  /** One key. */
  private static final class Key {
    final int number;
    final int hash;
    final int counter;
    final Object[] values;

    Key(int number, int hash, int counter, Object[] values) {
      this.number = number;
      this.hash = hash;
      this.counter = counter;
      this.values = values;
    }
  }

  private static final Unsafe U = Unsafe.getUnsafe();

  // Where keys of ints and classes are once more, off the heap: the number of places, less 1, and
  // from 16 on for each place the values; and counter and form in the upper half, the number of
  // the key in the lower one, which is 0 in a free place.
  private static volatile long few = places(1 << 10);
  private static int fewCount;

  private static String[] kinds = {};
  private static volatile Key[] table = new Key[1 << 10];
  private static int count;

  private SnippetKeys() {}

  static void begin(String[] kindsOfCounters) {
    kinds = kindsOfCounters;
  }

  /** The number of a key. */
  static int of(int counter, Object[] given) {
    String kind = counter < 0 ? FAILURE : kinds[counter];
    if (given == null || given.length != kind.length()) {
      throw new IllegalArgumentException(
          "expected " + kind.length() + " keys, found " + (given == null ? 0 : given.length));
    }
    int hash = counter;
    for (Object value : given) {
      hash = 31 * hash + hash(value);
    }
    hash = (hash ^ hash >>> 15) * 0x2C1B3C6D;
    hash ^= hash >>> 13;
    Key found = find(table, hash, counter, kind, given);
    return found != null ? found.number : make(hash, counter, kind, given);
  }

  /**
   * The number of a key of at most two values, without objects being made for them.
   *
   * @param a the first value, or 0 if that is an object
   * @param form the number of values, and which of them are objects
   */
  @ForceInline
  static int few(int counter, int a, Object first, int b, Object second, int form) {
    int one = (form & FIRST_IS_OBJECT) == 0 ? a : numberOf(first);
    int other = (form & SECOND_IS_OBJECT) == 0 ? b : numberOf(second);
    long values = (long) one << 32 | other & 0xFFFFFFFFL;
    int found = findFew(few, values, counter << 4 | form);
    return found != 0 ? found : makeFew(counter, a, first, b, second, form);
  }

  /** The number of a class; 0 if it has none yet, and of other objects. */
  private static int numberOf(Object value) {
    return value instanceof Class<?> type ? ClassWord.number(type) : 0;
  }

  private static long places(int count) {
    long keys = Arena.zeroed(16L + 16L * count);
    U.putLong(null, keys, count - 1L);
    return keys;
  }

  private static int findFew(long keys, long values, long kind) {
    long places = U.getLong(null, keys);
    for (long k = start(values, kind) & places; ; k = k + 1 & places) {
      long at = keys + 16L + 16L * k;
      long found = U.getLongVolatile(null, at + 8L);
      if (found == 0L || found >>> 32 == kind && U.getLong(null, at) == values) {
        return (int) found;
      }
    }
  }

  private static long start(long values, long kind) {
    return (values ^ kind << 20) * 0x9E3779B97F4A7C15L >>> 40;
  }

  @DontInline
  private static int makeFew(int counter, int a, Object first, int b, Object second, int form) {
    int number = of(counter, array(a, first, b, second, form));
    boolean isFew =
        ((form & FIRST_IS_OBJECT) == 0 || isNumbered(first))
            && ((form & SECOND_IS_OBJECT) == 0 || isNumbered(second));
    if (isFew) {
      int one = (form & FIRST_IS_OBJECT) == 0 ? a : numberOf(first);
      int other = (form & SECOND_IS_OBJECT) == 0 ? b : numberOf(second);
      boolean isHeld = Carrier.hold();
      try {
        noteFew((long) one << 32 | other & 0xFFFFFFFFL, counter << 4 | form, number);
      } finally {
        Carrier.release(isHeld);
      }
    }
    return number;
  }

  private static boolean isNumbered(Object value) {
    return value instanceof Class<?> type && !isBare(type) && ClassWord.number(type) != 0;
  }

  private static synchronized void noteFew(long values, long kind, int number) {
    if (findFew(few, values, kind) != 0) {
      return;
    }
    fewCount++;
    long places = U.getLong(null, few) + 1L;
    if (2L * fewCount > places) {
      few = grownFew(few, (int) places);
    }
    putFew(few, values, kind << 32 | number);
  }

  /** A table twice as large; the old one is left to those who read it. */
  private static long grownFew(long old, int places) {
    long grown = places(2 * places);
    for (long at = old + 16L; at < old + 16L + 16L * places; at += 16L) {
      if (U.getLong(null, at + 8L) != 0L) {
        putFew(grown, U.getLong(null, at), U.getLong(null, at + 8L));
      }
    }
    return grown;
  }

  /** The values come first: who sees that a place is taken sees them, too. */
  private static void putFew(long keys, long values, long kindAndNumber) {
    long places = U.getLong(null, keys);
    long k = start(values, kindAndNumber >>> 32) & places;
    while (U.getLong(null, keys + 24L + 16L * k) != 0L) {
      k = k + 1 & places;
    }
    U.putLong(null, keys + 16L + 16L * k, values);
    U.putLongVolatile(null, keys + 24L + 16L * k, kindAndNumber);
  }

  /** The values of a key in an array, as {@link #few} is given them. */
  static Object[] array(int a, Object first, int b, Object second, int form) {
    Object[] values = new Object[form & 3];
    if (values.length > 0) {
      values[0] = (form & FIRST_IS_OBJECT) == 0 ? (Object) a : first;
    }
    if (values.length > 1) {
      values[1] = (form & SECOND_IS_OBJECT) == 0 ? (Object) b : second;
    }
    return values;
  }

  private static int hash(Object value) {
    if (value instanceof String text) {
      return shortened(text).hashCode();
    }
    if (value instanceof Class<?> type) {
      return isBare(type) ? 0 : ClassWord.numberOf(type);
    }
    if (value instanceof Boolean isTrue) {
      return isTrue ? 1 : 2;
    }
    return Long.hashCode(whole(value));
  }

  /** Is a value that was given the one that a key has? A value of another kind is none's. */
  private static boolean isSame(char kind, Object kept, Object given) {
    if (kept instanceof Long number) {
      if (kind == 'c' || kind == 'C') {
        return given instanceof Class<?> type
            && !isBare(type)
            && ClassWord.numberOf(type) == (long) number;
      }
      boolean isPlace = kind == 's' || kind == 'S';
      return (isPlace ? given instanceof Integer : isWhole(given)) && whole(given) == (long) number;
    }
    if (kept == null) {
      return given == null || given instanceof Class<?> type && isBare(type);
    }
    return kept.equals(given instanceof String text ? shortened(text) : given);
  }

  private static boolean isWhole(Object value) {
    return value instanceof Integer
        || value instanceof Long
        || value instanceof Short
        || value instanceof Byte
        || value instanceof Character;
  }

  /** A whole number; 0 for anything else. */
  private static long whole(Object value) {
    if (value instanceof Integer n) {
      return n;
    }
    if (value instanceof Long n) {
      return n;
    }
    if (value instanceof Character c) {
      return c;
    }
    return value instanceof Short || value instanceof Byte ? ((Number) value).longValue() : 0L;
  }

  private static Object[] normal(String kind, Object[] given) {
    Object[] values = new Object[given.length];
    for (int k = 0; k < given.length; k++) {
      values[k] = normal(kind.charAt(k), given[k], k);
    }
    return values;
  }

  private static Object normal(char kind, Object value, int place) {
    char required = Character.toLowerCase(kind);
    Object found =
        switch (required) {
          case 'i', 'l' -> number(value);
          case 's' -> value instanceof Integer ? number(value) : null;
          case 'c' -> value instanceof Class<?> type ? classNumber(type) : null;
          case 't' -> value instanceof String text ? shortened(text) : null;
          default -> value instanceof Boolean ? value : null;
        };
    boolean isTooLarge = required == 'i' && found instanceof Long n && n != (int) (long) n;
    boolean mayBeNull = required != kind && (value == null || value instanceof Class<?>);
    if (isTooLarge || found == null && !mayBeNull) {
      throw new IllegalArgumentException(
          "key "
              + (place + 1)
              + ": expected "
              + name(required)
              + ", found "
              + (isTooLarge ? value.toString() : kindOf(value)));
    }
    return found;
  }

  /** As the program would see it, but no class keeps its name for that. */
  private static String kindOf(Object value) {
    if (value instanceof Class<?> type) {
      String kind = type.isInterface() ? "interface " : type.isPrimitive() ? "" : "class ";
      return kind + ClassWord.nameOf(type);
    }
    return value == null ? "null" : ClassWord.nameOf(value.getClass());
  }

  private static Long number(Object value) {
    return isWhole(value) ? (Long) whole(value) : null;
  }

  /** Arrays and primitive types have no rows in the tables of a run. */
  private static boolean isBare(Class<?> type) {
    return type.isArray() || type.isPrimitive();
  }

  private static Long classNumber(Class<?> type) {
    return isBare(type) ? null : (Long) (long) ClassWord.numberOf(type);
  }

  private static String shortened(String text) {
    return text.length() > MOST_TEXT ? text.substring(0, MOST_TEXT) : text;
  }

  private static String name(char kind) {
    return switch (kind) {
      case 'i' -> "a whole number of 32 bits";
      case 'l' -> "a whole number";
      case 's' -> "a place, an int";
      case 'c' -> "a Class of neither an array nor a primitive type";
      case 't' -> "a String";
      default -> "a Boolean";
    };
  }

  private static Key find(Key[] keys, int hash, int counter, String kind, Object[] given) {
    for (int at = hash & keys.length - 1; keys[at] != null; at = at + 1 & keys.length - 1) {
      Key key = keys[at];
      if (key.hash == hash && key.counter == counter && areSame(kind, key.values, given)) {
        return key;
      }
    }
    return null;
  }

  private static boolean areSame(String kind, Object[] kept, Object[] given) {
    for (int k = 0; k < kept.length; k++) {
      if (!isSame(kind.charAt(k), kept[k], given[k])) {
        return false;
      }
    }
    return true;
  }

  private static int make(int hash, int counter, String kind, Object[] given) {
    boolean isHeld = Carrier.hold();
    try {
      return makeAlone(hash, counter, kind, given);
    } finally {
      Carrier.release(isHeld);
    }
  }

  private static synchronized int makeAlone(int hash, int counter, String kind, Object[] given) {
    Key found = find(table, hash, counter, kind, given);
    if (found != null) {
      return found.number;
    }
    Object[] values = normal(kind, given);
    if (count == MOST) {
      throw new IllegalStateException("more than " + MOST + " different keys");
    }
    Key key = new Key(count + 1, hash, counter, values);
    if (!AgentPort.tellSnippetKey(key.number, counter, values)) {
      throw new IllegalStateException("the key could not be written to disk");
    }
    count++;
    Key[] keys = 2 * count < table.length ? table : grown();
    put(keys, key);
    table = keys;
    return key.number;
  }

  private static Key[] grown() {
    Key[] keys = new Key[2 * table.length];
    for (Key key : table) {
      if (key != null) {
        put(keys, key);
      }
    }
    return keys;
  }

  private static void put(Key[] keys, Key key) {
    int at = key.hash & keys.length - 1;
    while (keys[at] != null) {
      at = at + 1 & keys.length - 1;
    }
    keys[at] = key;
  }
}
