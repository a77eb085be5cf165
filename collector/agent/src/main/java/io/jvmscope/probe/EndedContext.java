package io.jvmscope.probe;

import io.jvmscope.probe.Snippets.OwnTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A context, or the root of a thread, for which methods run when the program has ended. */
final class EndedContext {
  private static final int MOST_TEXT = 1 << 10;

  /** What a method counted. */
  record Added(SnippetLog.Key key, long count) {}

  /** How a method failed. */
  record Failure(Snippet snippet, String exception) {}

  private static final int MOST_OF_FAILURE = 200;

  private final Snippets probe;
  private final boolean isThread;
  private final Map<Integer, Long> states;
  private final Map<Integer, Long> ofThread;
  private final List<Added> added = new ArrayList<>();
  private final List<Failure> failed = new ArrayList<>();

  EndedContext(
      Snippets probe, boolean isThread, Map<Integer, Long> states, Map<Integer, Long> ofThread) {
    this.probe = probe;
    this.isThread = isThread;
    this.states = new HashMap<>(states);
    this.ofThread = ofThread;
  }

  boolean isThread() {
    return isThread;
  }

  /** The same context before anything was done for it. */
  EndedContext empty() {
    return new EndedContext(probe, isThread, states, ofThread);
  }

  List<Added> added() {
    return added;
  }

  List<Failure> failed() {
    return failed;
  }

  void addFailure(Snippet snippet, Throwable exception) {
    String message = exception instanceof StackOverflowError ? null : exception.getMessage();
    addFailure(snippet, exception.getClass().getName() + (message == null ? "" : ": " + message));
  }

  void addFailure(Snippet snippet, String text) {
    int end = Math.min(text.length(), MOST_OF_FAILURE);
    failed.add(new Failure(snippet, text.substring(0, end)));
  }

  long state(int number) {
    return states.getOrDefault(number, 0L);
  }

  void setState(int number, long value) {
    states.put(number, value);
  }

  long threadState(int number) {
    return ofThread.getOrDefault(number, 0L);
  }

  /** Counts under a key; {@link IllegalArgumentException}: it is not one of the column. */
  void add(String column, long count, Object[] keys) {
    int counter = List.of(probe.counters()).indexOf(column);
    if (counter < 0) {
      throw new IllegalArgumentException("no table of the probe has a column " + column);
    }
    OwnTable table = probe.tableOf(counter);
    if (isThread && !table.within().equals("thread") && !table.within().equals("context")) {
      throw new IllegalArgumentException(
          "a thread has no rows in " + table.name() + ", which is within " + table.within());
    }
    String kinds = table.kinds();
    if (keys == null || keys.length != kinds.length()) {
      throw new IllegalArgumentException(
          "expected " + kinds.length() + " keys, found " + (keys == null ? 0 : keys.length));
    }
    Object[] values = new Object[keys.length];
    for (int k = 0; k < keys.length; k++) {
      values[k] = normal(kinds.charAt(k), keys[k], k);
    }
    if (count > 0L) {
      added.add(new Added(new SnippetLog.Key(counter, values), count));
    }
  }

  /** As the program's VM has it, where classes have numbers; here there are none. */
  private static Object normal(char kind, Object key, int place) {
    Object found =
        switch (Character.toLowerCase(kind)) {
          case 'i', 's' -> small(number(key));
          case 'l' -> number(key);
          case 't' -> key instanceof String text ? shortened(text) : null;
          case 'b' -> key instanceof Boolean ? key : null;
          default -> null;
        };
    if (found == null && (key != null || Character.isLowerCase(kind))) {
      throw new IllegalArgumentException("key " + (place + 1) + ": not of its column, or a class");
    }
    return found;
  }

  private static Long small(Long number) {
    return number == null || number != (int) (long) number ? null : number;
  }

  private static Long number(Object key) {
    if (key instanceof Character c) {
      return (long) c;
    }
    boolean isWhole =
        key instanceof Integer
            || key instanceof Long
            || key instanceof Short
            || key instanceof Byte;
    return isWhole ? (Long) ((Number) key).longValue() : null;
  }

  private static String shortened(String text) {
    return text.length() > MOST_TEXT ? text.substring(0, MOST_TEXT) : text;
  }
}
