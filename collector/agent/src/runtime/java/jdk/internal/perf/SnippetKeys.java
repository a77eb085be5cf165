package jdk.internal.perf;

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
      String what = value == null ? "null" : value.getClass().getName();
      String shown = isTooLarge || value instanceof Class<?> ? value.toString() : what;
      throw new IllegalArgumentException(
          "key " + (place + 1) + ": expected " + name(required) + ", found " + shown);
    }
    return found;
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

  private static synchronized int make(int hash, int counter, String kind, Object[] given) {
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
