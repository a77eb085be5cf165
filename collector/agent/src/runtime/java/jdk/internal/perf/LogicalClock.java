package jdk.internal.perf;

import jdk.internal.misc.Unsafe;
import jdk.internal.misc.VM;
import jdk.internal.vm.annotation.Hidden;

/**
 * The clocks of {@code record --clock steps}: each thread has its own, in nanoseconds since one
 * epoch. It goes on by the bytecodes that the thread executes, which instrumented code adds, by
 * each reading, and by waiting: {@link ClockWaits}.
 *
 * <p>A few threads of the class library keep real time, since they wait for others' timeouts: those
 * that carry virtual threads, and those that they start. Their clock is negative.
 */
public final class LogicalClock {
  private static final Unsafe U = Unsafe.getUnsafe();

  /** The field that instrumented code adds bytecodes to. */
  static final long CLOCK = U.objectFieldOffset(Thread.class, "jvmscope$clock");

  /** The field with the time of who interrupted the thread last. */
  private static final long INTERRUPT = U.objectFieldOffset(Thread.class, "jvmscope$interrupt");

  /** 2026-01-01T00:00:00Z: no earlier, since certificates are checked against the time. */
  private static final long EPOCH_S = 1_767_225_600L;

  /** What {@code nanoTime} is at the epoch: as if the machine had run for some time. */
  private static final long ORIGIN_NS = 1_000_000_000_000L;

  /** What a reading takes. */
  private static final long READING_NS = 25L;

  private static final long SECOND_NS = 1_000_000_000L;

  /** A clock that stays negative, whatever bytecodes are added to it. */
  private static final long REAL = Long.MIN_VALUE;

  /** The most that a difference of seconds may be, as in the VM. */
  private static final long MAX_DIFFERENCE_S = 1L << 32;

  /** Real time at which the clocks began. */
  private static final long BEGUN = System.nanoTime();

  /**
   * What clocks have reached by waiting, at most the real time that has passed. A thread that reads
   * its clock is no earlier: else a timer that waits would run ahead of threads that compute.
   */
  private static long waited;

  static {
    ThreadSlot.keepClock(CLOCK, U.objectFieldOffset(Thread.class, "jvmscope$kept"));
  }

  private LogicalClock() {}

  // ---- what the program reads

  /** In place of {@code System.nanoTime}. */
  @Hidden
  public static long nanoTime() {
    Thread thread = Thread.currentThread();
    return keepsReal(thread) ? System.nanoTime() : ORIGIN_NS + read(thread);
  }

  /** In place of {@code System.currentTimeMillis}. */
  @Hidden
  public static long currentTimeMillis() {
    Thread thread = Thread.currentThread();
    return keepsReal(thread)
        ? System.currentTimeMillis()
        : EPOCH_S * 1000L + read(thread) / 1_000_000L;
  }

  /** In place of {@code VM.getNanoTimeAdjustment}: nanoseconds since a second, -1 if it is far. */
  @Hidden
  public static long getNanoTimeAdjustment(long offset) {
    Thread thread = Thread.currentThread();
    if (keepsReal(thread)) {
      return VM.getNanoTimeAdjustment(offset);
    }
    long clock = read(thread);
    long seconds = EPOCH_S + clock / SECOND_NS - offset;
    if (seconds <= -MAX_DIFFERENCE_S || seconds >= MAX_DIFFERENCE_S) {
      return -1L;
    }
    return seconds * SECOND_NS + clock % SECOND_NS;
  }

  @Hidden
  private static long read(Thread thread) {
    advanceTo(thread, U.getLong(thread, CLOCK) + READING_NS);
    advanceTo(thread, waited);
    advanceTo(thread, U.getLong(thread, INTERRUPT));
    return U.getLong(thread, CLOCK);
  }

  // ---- threads

  /** The thread is about to start; its clock begins at that of who starts it. */
  @Hidden
  public static void starting(Thread thread) {
    long clock = U.getLong(Thread.currentThread(), CLOCK);
    if (clock < 0L) {
      keepReal(thread);
    } else if (!keepsReal(thread)) {
      advanceTo(thread, clock);
    }
  }

  /** The thread keeps real time, and those that it starts. */
  @Hidden
  public static void keepReal(Thread thread) {
    U.putLong(thread, CLOCK, REAL);
  }

  /** Somebody interrupts the thread. */
  @Hidden
  public static void interrupting(Thread thread) {
    long clock = U.getLong(Thread.currentThread(), CLOCK);
    if (clock > U.getLong(thread, INTERRUPT)) {
      U.putLong(thread, INTERRUPT, clock);
    }
  }

  /** The current thread has waited for the end of a thread, or for a time. */
  @Hidden
  public static void joined(Thread thread) {
    Thread current = Thread.currentThread();
    if (keepsReal(current) || keepsReal(thread)) {
      return;
    }
    long slot = ThreadSlot.pause();
    boolean isAlive = thread.isAlive();
    ThreadSlot.resume(slot);
    if (!isAlive) {
      advanceTo(current, U.getLong(thread, CLOCK));
    }
  }

  // ---- for ClockWaits

  @Hidden
  static boolean keepsReal(Thread thread) {
    return U.getLong(thread, CLOCK) < 0L;
  }

  @Hidden
  static void advanceTo(Thread thread, long time) {
    if (time > U.getLong(thread, CLOCK)) {
      U.putLong(thread, CLOCK, time);
    }
  }

  /** Adds a time that the thread has waited out. */
  @Hidden
  static void waitedOut(Thread thread, long nanos) {
    long clock = U.getLong(thread, CLOCK) + nanos;
    U.putLong(thread, CLOCK, clock < 0L ? Long.MAX_VALUE >> 1 : clock);
    long passed = System.nanoTime() - BEGUN;
    long reached = clock < passed ? clock : passed;
    if (reached > waited && !ThreadDescription.isBackground(thread)) {
      waited = reached;
    }
  }

  /** The nanoseconds until an absolute time in milliseconds; not positive if it has come. */
  @Hidden
  static long nanosUntil(Thread thread, long millis) {
    long left = millis - EPOCH_S * 1000L;
    if (left > Long.MAX_VALUE / 2_000_000L) {
      return Long.MAX_VALUE >> 1;
    }
    return left < 0L ? 0L : left * 1_000_000L - U.getLong(thread, CLOCK);
  }
}
