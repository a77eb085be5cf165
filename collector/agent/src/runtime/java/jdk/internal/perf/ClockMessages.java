package jdk.internal.perf;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * The times that messages between threads carry: tasks, results, items of queues, permits, counts
 * of latches. Whoever takes a message goes on at the sender's time if that is later, also if it was
 * there already and nobody waited. Each message keeps its time in a field of its own, which the
 * edited classes read and write.
 */
public final class ClockMessages {
  private static final Unsafe U = Unsafe.getUnsafe();

  /** Address of an int that is 1 while a thread joins its time to others' in a message. */
  private static final long LOCK = Arena.zeroed(8);

  private ClockMessages() {}

  // ---- sending: each returns what to keep

  /** The time of the current thread. */
  @Hidden
  public static long now() {
    long clock = U.getLong(Thread.currentThread(), LogicalClock.CLOCK);
    return clock < 0L ? 0L : clock;
  }

  /** The time of the first who sends; a result is only set once. */
  @Hidden
  public static long first(long kept) {
    return kept != 0L ? kept : now();
  }

  /** The latest of all senders; {@link #kept} must follow when it is stored. */
  @Hidden
  public static long latest(long kept) {
    SpinLock.lock(LOCK);
    long now = now();
    return now > kept ? now : kept;
  }

  /** What {@link #latest} returned is stored. */
  @Hidden
  public static void kept() {
    SpinLock.unlock(LOCK);
  }

  /** The times of an array's elements, with that of the element that is about to be stored. */
  @Hidden
  public static long[] keptAt(long[] times, int length, int index) {
    long[] kept = times == null ? new long[length] : times;
    kept[index] = now();
    return kept;
  }

  /** What to keep of a new semaphore. */
  @Hidden
  public static Object permits(int permits) {
    return ClockPermits.of(permits);
  }

  /** Permits are about to be released. */
  @Hidden
  public static void released(Object permits, int n) {
    if (permits != null) {
      long now = now();
      SpinLock.lock(LOCK);
      ((ClockPermits) permits).add(n, now);
      kept();
    }
  }

  // ---- receiving

  /** The current thread takes what was sent at that time. */
  @Hidden
  public static void received(long time) {
    Thread thread = Thread.currentThread();
    if (!LogicalClock.keepsReal(thread)) {
      LogicalClock.advanceTo(thread, time);
    }
  }

  /** It takes it if so. */
  @Hidden
  public static void receivedIf(boolean isTaken, long time) {
    if (isTaken) {
      received(time);
    }
  }

  /** It reads a field, which is null until something was sent. */
  @Hidden
  public static Object read(Object value, long time) {
    if (value != null) {
      received(time);
    }
    return value;
  }

  /** It takes the element of an array. */
  @Hidden
  public static void receivedAt(long[] times, int index) {
    if (times != null) {
      received(times[index]);
    }
  }

  /** It has acquired permits. */
  @Hidden
  public static void acquired(Object permits, int n) {
    if (permits != null) {
      SpinLock.lock(LOCK);
      long time = ((ClockPermits) permits).take(n);
      kept();
      received(time);
    }
  }

  /** It has acquired permits if so. */
  @Hidden
  public static void acquiredIf(boolean isTaken, Object permits, int n) {
    if (isTaken) {
      acquired(permits, n);
    }
  }
}
