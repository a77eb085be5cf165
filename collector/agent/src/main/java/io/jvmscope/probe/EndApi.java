package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.FIRST_IS_OBJECT;
import static jdk.internal.perf.ArenaLayout.SECOND_IS_OBJECT;

import java.util.Arrays;

/**
 * What the classes of a user's own probe have in the place of the API when the program has ended.
 * They are public, since those classes are in another package.
 */
public final class EndApi {
  /** Whose turn it is, for the thread that runs the methods. */
  static final ThreadLocal<EndedContext> NOW = new ThreadLocal<>();

  private EndApi() {}

  /** The API's {@code Context}. */
  public static final class Context {
    private final EndedContext ended;

    Context(EndedContext ended) {
      this.ended = ended;
    }

    private EndedContext now() {
      if (ended != NOW.get()) {
        throw new IllegalStateException("the context is not the one that was given last");
      }
      return ended;
    }
  }

  /** The API's {@code Site}, of which there is none here: guards in a class are not asked now. */
  public static final class Site {
    private Site() {}
  }

  /** The API's {@code Counter}. */
  public static final class Counter {
    private final String column;

    private Counter(String column) {
      this.column = column;
    }

    public static Counter of(String column) {
      return new Counter(column);
    }

    public void add(Context context, long count, Object... keys) {
      if (count < 0L) {
        throw new IllegalArgumentException("a counter can only grow, by " + count);
      }
      context.now().add(column, count, keys);
    }

    /** The same with at most two keys, each an int or an object, as its form says. */
    public void add(
        Context context, long count, int a, Object first, int b, Object second, int form) {
      Object[] keys = {
        (form & FIRST_IS_OBJECT) == 0 ? (Object) a : first,
        (form & SECOND_IS_OBJECT) == 0 ? (Object) b : second
      };
      add(context, count, Arrays.copyOf(keys, form & 3));
    }
  }

  /** The API's {@code ContextState}. */
  public static final class ContextState {
    private final int number;

    public ContextState(int number) {
      this.number = number;
    }

    public long get(Context context) {
      return context.now().state(number);
    }

    public void set(Context context, long value) {
      context.now().setState(number, value);
    }
  }

  /** The API's {@code ThreadState}. */
  public static final class ThreadState {
    private final int number;

    public ThreadState(int number) {
      this.number = number;
    }

    public long get() {
      return NOW.get() == null ? 0L : NOW.get().threadState(number);
    }

    /** The thread has ended, so that nobody could read it. */
    public void set(long value) {
      throw new UnsupportedOperationException("the state of a thread that has ended");
    }
  }
}
