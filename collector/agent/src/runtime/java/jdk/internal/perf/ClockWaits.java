package jdk.internal.perf;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * What waiting does to a thread's {@link LogicalClock}. Each wait takes the real time that it
 * takes; then the clock advances: by its timeout if that has passed, else to the time of who ended
 * the wait. What ends it is noted on the waiting thread, as a <em>signal</em>, before the VM is
 * told.
 */
public final class ClockWaits {
  private static final Unsafe U = Unsafe.getUnsafe();

  // Fields of Thread: the signals so far, and the time of the last one; of a wait that was begun
  // the number of signals then, the real time and the timeout; the real time of waits that signals
  // ended and that advanced nothing; what monitor the thread waits for, and the next that waits.
  private static final long SIGNALS = U.objectFieldOffset(Thread.class, "jvmscope$signals");
  private static final long SIGNAL = U.objectFieldOffset(Thread.class, "jvmscope$signal");
  private static final long SEEN = U.objectFieldOffset(Thread.class, "jvmscope$seen");
  private static final long BEGUN = U.objectFieldOffset(Thread.class, "jvmscope$begun");
  private static final long TIMEOUT = U.objectFieldOffset(Thread.class, "jvmscope$timeout");
  private static final long VAIN = U.objectFieldOffset(Thread.class, "jvmscope$vain");
  private static final long MONITOR = U.objectFieldOffset(Thread.class, "jvmscope$monitor");
  private static final long NEXT = U.objectFieldOffset(Thread.class, "jvmscope$next");

  private static final long MILLI_NS = 1_000_000L;

  /** The {@link SpinLock} of the list of {@link #waiting}. */
  private static final long LOCK = Arena.zeroed(8);

  /** The first thread that waits for a monitor. */
  private static Thread waiting;

  private ClockWaits() {}

  // ---- parking

  /** In place of {@code Unsafe.park}. */
  @Hidden
  public static void park(Object unsafe, boolean isAbsolute, long time) {
    Thread thread = Thread.currentThread();
    Unsafe natives = (Unsafe) unsafe;
    if (LogicalClock.keepsReal(thread) || ThreadDescription.isVirtual(thread)) {
      natives.park(isAbsolute, time); // a virtual thread accounts for it in parkNanos
      return;
    }
    long timeout = isAbsolute ? LogicalClock.nanosUntil(thread, time) : time;
    begin(thread, timeout);
    if (isAbsolute && timeout <= 0L) {
      natives.park(true, 0L); // takes the permit and returns
    } else {
      natives.park(false, timeout);
    }
    end(thread, !isAbsolute && time == 0L ? 0L : timeout);
  }

  /** Before a thread is unparked; null is nobody. */
  @Hidden
  public static void unparking(Object thread) {
    Thread current = Thread.currentThread();
    if (thread != null && !LogicalClock.keepsReal(current)) {
      signal((Thread) thread, U.getLong(current, LogicalClock.CLOCK));
    }
  }

  /** A virtual thread begins to park. */
  @Hidden
  public static void parking(Thread thread) {
    begin(thread, 0L);
  }

  /** A virtual thread has parked, or need not; timeout 0: without one. */
  @Hidden
  public static void parked(Thread thread, long timeout) {
    end(thread, timeout);
  }

  // ---- sleeping, in natives whose name depends on the release

  /** In place of the native {@code Thread.sleep}, which it was until release 18. */
  @Hidden
  public static void sleep(long millis) throws InterruptedException {
    Thread.sleep(millis);
    slept(Thread.currentThread(), nanos(millis));
  }

  /** Before the native that sleeps. */
  @Hidden
  public static void sleepBegins(long nanos) {
    U.putLong(Thread.currentThread(), TIMEOUT, nanos);
  }

  /** Before the native that sleeps, as releases 19 and 20 have it. */
  @Hidden
  public static void sleepMillisBegins(long millis) {
    sleepBegins(nanos(millis));
  }

  /** After it. */
  @Hidden
  public static void sleepEnds() {
    Thread thread = Thread.currentThread();
    slept(thread, U.getLong(thread, TIMEOUT));
  }

  @Hidden
  private static void slept(Thread thread, long nanos) {
    if (!LogicalClock.keepsReal(thread)) {
      LogicalClock.waitedOut(thread, nanos);
    }
  }

  // ---- monitors

  /** In place of the native {@code Object.wait(long)}, which it was until release 18. */
  @Hidden
  public static void wait(Object monitor, long millis) throws InterruptedException {
    try {
      waiting(monitor, millis);
      monitor.wait(millis);
    } finally {
      waited();
    }
  }

  /** Before the current thread waits for a monitor, which it holds. */
  @Hidden
  public static void waiting(Object monitor, long millis) {
    Thread thread = Thread.currentThread();
    begin(thread, nanos(millis));
    SpinLock.lock(LOCK);
    if (U.getReference(thread, MONITOR) == null) {
      U.putReference(thread, NEXT, waiting);
      waiting = thread;
    }
    U.putReference(thread, MONITOR, monitor);
    SpinLock.unlock(LOCK);
  }

  /** After that, also by an exception, and where the stack was full before it began. */
  @Hidden
  public static void waited() {
    Thread thread = Thread.currentThread();
    SpinLock.lock(LOCK);
    Thread previous = null;
    Thread other = waiting;
    while (other != thread && other != null) {
      previous = other;
      other = (Thread) U.getReference(other, NEXT);
    }
    boolean hasBegun = other != null;
    if (hasBegun) {
      Object next = U.getReference(thread, NEXT);
      if (previous == null) {
        waiting = (Thread) next;
      } else {
        U.putReference(previous, NEXT, next);
      }
    }
    U.putReference(thread, NEXT, null);
    U.putReference(thread, MONITOR, null);
    SpinLock.unlock(LOCK);
    if (hasBegun) {
      end(thread, U.getLong(thread, TIMEOUT));
    }
  }

  /** Before one of those that wait for a monitor is notified, or all. */
  @Hidden
  public static void notifying(Object monitor) {
    Thread current = Thread.currentThread();
    if (waiting == null || monitor == null || LogicalClock.keepsReal(current)) {
      return;
    }
    long clock = U.getLong(current, LogicalClock.CLOCK);
    SpinLock.lock(LOCK);
    for (Thread t = waiting; t != null; t = (Thread) U.getReference(t, NEXT)) {
      if (U.getReference(t, MONITOR) == monitor) {
        signal(t, clock);
      }
    }
    SpinLock.unlock(LOCK);
  }

  // ---- polling files and sockets

  /** Before a native that waits for a file at most so long; no time: 0, without end: negative. */
  @Hidden
  public static void pollBegins(long millis) {
    Thread thread = Thread.currentThread();
    begin(thread, millis < 0L ? 0L : nanos(millis));
  }

  /** After it: how many files are ready. */
  @Hidden
  public static void pollEnds(int ready) {
    Thread thread = Thread.currentThread();
    if (ready == 0) {
      end(thread, U.getLong(thread, TIMEOUT));
    }
  }

  // ---- what they have in common

  @Hidden
  private static void begin(Thread thread, long timeout) {
    U.putInt(thread, SEEN, U.getIntVolatile(thread, SIGNALS));
    U.putLong(thread, TIMEOUT, timeout);
    U.putLong(thread, BEGUN, System.nanoTime());
  }

  @Hidden
  private static void end(Thread thread, long timeout) {
    if (LogicalClock.keepsReal(thread)) {
      return;
    }
    long before = U.getLong(thread, LogicalClock.CLOCK);
    long elapsed = System.nanoTime() - U.getLong(thread, BEGUN);
    long vain = U.getLong(thread, VAIN) + elapsed;
    boolean isSignalled = U.getIntVolatile(thread, SIGNALS) != U.getInt(thread, SEEN);
    if (!isSignalled && timeout > 0L && elapsed >= timeout - tolerance(timeout)) {
      LogicalClock.waitedOut(thread, timeout);
    } else {
      LogicalClock.advanceTo(thread, U.getLong(thread, SIGNAL)); // maybe of before the wait
      // One wait after the other that signals end must not make the last of them wait for ever.
      if (isSignalled && timeout > 0L && vain >= timeout) {
        LogicalClock.advanceTo(thread, before + timeout);
      }
    }
    boolean isAdvanced = timeout <= 0L || U.getLong(thread, LogicalClock.CLOCK) > before;
    U.putLong(thread, VAIN, isAdvanced ? 0L : vain);
  }

  /** How much earlier than asked for a wait may end that has timed out. */
  @Hidden
  private static long tolerance(long timeout) {
    return timeout >> 4 < MILLI_NS ? timeout >> 4 : MILLI_NS;
  }

  @Hidden
  private static void signal(Thread thread, long clock) {
    if (clock > U.getLong(thread, SIGNAL)) {
      U.putLong(thread, SIGNAL, clock);
    }
    U.putIntVolatile(thread, SIGNALS, U.getIntVolatile(thread, SIGNALS) + 1);
  }

  @Hidden
  private static long nanos(long millis) {
    return millis > Long.MAX_VALUE / (2L * MILLI_NS) ? Long.MAX_VALUE >> 1 : millis * MILLI_NS;
  }
}
