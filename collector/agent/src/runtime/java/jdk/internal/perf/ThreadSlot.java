package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.FIRST_NODE;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * The field of a thread that holds its slot: the address of the link under which the next method is
 * entered. Instrumented code reads and writes it by itself; here is what is done to it besides.
 */
public final class ThreadSlot {
  private static final Unsafe U = Unsafe.getUnsafe();
  private static final long FIELD = U.objectFieldOffset(Thread.class, "jvmscope$slot");
  private static final long PAUSED = U.objectFieldOffset(Thread.class, "jvmscope$paused");

  /** Address of a slot that stands for the root of whatever thread reads it. */
  static final long OF_ROOT = Arena.zeroed(8);

  // Where a thread has its logical clock, and what that was when it paused; 0: threads have none.
  private static long clockField;
  private static long keptField;

  private ThreadSlot() {}

  /** Gives a thread that is being made the slot of its root, unless it has one already. */
  @Hidden
  public static void begin(Thread thread) {
    if (U.getLong(thread, FIELD) == 0L) {
      U.putLong(thread, FIELD, OF_ROOT);
    }
  }

  /**
   * The same for the current thread: the VM has the first thread, and each that native code
   * attaches, run its own constructor.
   */
  @Hidden
  public static void beginCurrent() {
    begin(Thread.currentThread());
  }

  /** The thread is back at its root: the frames that it had are gone. */
  @Hidden
  public static void unwind(Thread thread) {
    U.putLong(thread, FIELD, OF_ROOT);
    FrameRoots.unwind(thread);
  }

  /** The thread runs nothing any more. */
  @Hidden
  public static void end(Thread thread) {
    FrameRoots.end(thread);
  }

  /**
   * Sets the current thread's slot to the sink.
   *
   * @return what {@link #resume} takes: the slot, and in its lowest bit whether it paused before
   */
  @Hidden
  public static long pause() {
    Thread thread = Thread.currentThread();
    long slot = U.getLong(thread, FIELD);
    int wasPaused = U.getInt(thread, PAUSED);
    if (clockField != 0L && wasPaused == 0) { // also before --from, where the slot is the sink's
      U.putLong(thread, keptField, U.getLong(thread, clockField));
    }
    U.putLong(thread, FIELD, Arena.sinkSlot());
    U.putInt(thread, PAUSED, 1);
    NativePort.tellPaused(true);
    return slot | wasPaused;
  }

  /** What {@link #pause} returns, without a pause. */
  @Hidden
  static long keep() {
    return current() | U.getInt(Thread.currentThread(), PAUSED);
  }

  /** Goes on as it was when {@link #pause} returned this. */
  @Hidden
  public static void resume(long before) {
    long slot = before & ~1L;
    Thread thread = Thread.currentThread();
    int isPaused = (int) before & 1;
    if (clockField != 0L && isPaused == 0 && U.getInt(thread, PAUSED) != 0) {
      U.putLong(thread, clockField, U.getLong(thread, keptField));
    }
    U.putInt(thread, PAUSED, isPaused);
    U.putLong(thread, FIELD, slot);
    NativePort.tellPaused(isPaused(slot));
  }

  /** What runs during a pause has slots of the sink's, at its calls. */
  @Hidden
  private static boolean isPaused(long slot) {
    long at = Arena.moved(slot) - Arena.base;
    return at >= 0 && at < FIRST_NODE;
  }

  /** Is what the current thread does not recorded now? */
  @Hidden
  static boolean isPaused() {
    return isPaused(current());
  }

  /**
   * Is what the current thread does the recording's own work? Other than {@link #isPaused()}, what
   * the program does before {@code --from} is not.
   */
  @Hidden
  public static boolean isOwnWork() {
    return isPaused() && U.getInt(Thread.currentThread(), PAUSED) != 0;
  }

  /** From now on a pause stops the thread's logical clock, too. */
  static void keepClock(long clock, long kept) {
    clockField = clock;
    keptField = kept;
  }

  /** The current thread's slot. */
  @Hidden
  static long current() {
    return U.getLong(Thread.currentThread(), FIELD);
  }

  /**
   * Before the VM's own first threads start: initialises what they and main both use, unrecorded.
   * Which of them came first would differ from run to run.
   */
  @Hidden
  public static void settleRaces() {
    long slot = pause();
    U.ensureClassInitialized(jdk.internal.misc.VM.class);
    resume(slot);
  }
}
