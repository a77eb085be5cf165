package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.ALLOCATED;
import static jdk.internal.perf.ArenaLayout.ALLOCATED_BYTES;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.PARENT;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * Runs the snippets of a user's own probe, and keeps what they count: at a slot of each node a
 * chain or table of counts by the number of their key. A generated method around each snippet
 * pauses the recording, so that nothing of what it executes is counted, nor are snippets run there.
 */
public final class SnippetProbe {
  private static final Unsafe U = Unsafe.getUnsafe();

  /** In a key of failures, in place of a counter: this and those below. */
  private static final int FAILURES = -1;

  private static final int MOST_TEXT = 200;

  private static boolean isOn;
  private static String[] counters = {};

  private SnippetProbe() {}

  /**
   * From now on the classes of snippets can be initialised, as guards may have them.
   *
   * @param names of the columns that they count in
   * @param kinds of the keys of each: see {@link SnippetKeys}
   */
  public static void ready(String[] names, String[] kinds) {
    counters = names;
    SnippetKeys.begin(kinds);
  }

  /** From now on snippets run. */
  public static void run() {
    isOn = true;
  }

  /** Does the guard of a snippet want it at a place? */
  public static boolean allows(
      int snippet,
      String className,
      String method,
      String descriptor,
      String target,
      String opcode,
      boolean isJdk) {
    return SnippetCalls.allows(
        snippet, new SnippetSite(className, method, descriptor, target, opcode, isJdk));
  }

  // ---- called by the generated methods

  /** Pauses the recording for a snippet; 0 if it must not run. */
  @Hidden
  static long begin(long node) {
    return isOn && !Arena.isSink(node) ? ThreadSlot.pause() : 0L;
  }

  /** Goes on with the recording. */
  @Hidden
  static void end(long slot) {
    ThreadSlot.resume(slot);
  }

  /** What a snippet is told of its context. */
  @Hidden
  static SnippetContext context(long node, int distance) {
    return new SnippetContext(node, distance);
  }

  /** Counts that a snippet ended with an exception. */
  @Hidden
  static void failed(Throwable exception, long node, int distance, int snippet) {
    try {
      Object[] values = {describe(exception)};
      add(new SnippetContext(node, distance), SnippetKeys.of(FAILURES - snippet, values), 1L);
    } catch (Throwable e) { // neither memory nor stack to say so, or the log is full
      ArenaHeader.raise(ArenaLayout.FAILURE_LOST);
    }
  }

  @Hidden
  private static String describe(Throwable exception) {
    Throwable shown = exception;
    if (exception instanceof ExceptionInInitializerError && exception.getCause() != null) {
      shown = exception.getCause();
    }
    String message = shown instanceof StackOverflowError ? null : shown.getMessage();
    String text = ClassWord.nameOf(shown.getClass()) + (message == null ? "" : ": " + message);
    return text.length() > MOST_TEXT ? text.substring(0, MOST_TEXT) : text;
  }

  // ---- called by the classes of the API

  /** The number of a column. */
  static int counter(String column) {
    for (int k = 0; k < counters.length; k++) {
      if (counters[k].equals(column)) {
        return k;
      }
    }
    throw new IllegalArgumentException("no table of the probe has a column " + column);
  }

  /** Refuses a context of another thread, whose node this one must not change. */
  static void check(SnippetContext context) {
    if (context.thread != Thread.currentThread()) {
      throw new IllegalStateException("the context is that of another thread");
    }
  }

  /** Adds to the count of a key. */
  static void add(SnippetContext context, int key, long count) {
    long entry = entry(context.slot, context.node, key);
    if (entry != 0L) {
      long sum = U.getLong(null, entry + ALLOCATED) + count;
      if (sum < 0L) {
        throw new ArithmeticException("the count would be larger than " + Long.MAX_VALUE);
      }
      U.putLong(null, entry + ALLOCATED, sum);
    }
  }

  /** The state at a slot. */
  static long get(long slot, int key) {
    long entry = Children.find(slot, key);
    return entry == 0L ? 0L : U.getLong(null, entry + ALLOCATED);
  }

  /** Sets the state at a slot. */
  static void set(long slot, long node, int key, long value) {
    long entry = entry(slot, node, key);
    if (entry != 0L) {
      U.putLong(null, entry + ALLOCATED, value);
    }
  }

  /** What a slot has for a key, made if there is nothing; 0 if the disk is full. */
  private static long entry(long slot, long node, int key) {
    long entry = Children.find(slot, key);
    if (entry == 0L) {
      entry = Arena.allocate(ALLOCATED_BYTES);
      if (entry != 0L) {
        U.putInt(null, entry + PARENT, Arena.linkTo(node));
        U.putInt(null, entry + METHOD, key);
        Children.link(slot, entry);
      }
    }
    return entry;
  }
}
