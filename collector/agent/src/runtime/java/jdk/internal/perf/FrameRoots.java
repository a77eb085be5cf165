package jdk.internal.perf;

import static jdk.internal.perf.LifetimeLayout.FIRST_FRAME;
import static jdk.internal.perf.LifetimeLayout.FRAMES;
import static jdk.internal.perf.LifetimeLayout.FRAME_HEAD;
import static jdk.internal.perf.LifetimeLayout.MOST_STRETCHES;
import static jdk.internal.perf.LifetimeLayout.NO_FRAMES;
import static jdk.internal.perf.LifetimeLayout.STRETCH;
import static jdk.internal.perf.LifetimeLayout.STRETCHES;
import static jdk.internal.perf.LifetimeLayout.STRETCH_END;
import static jdk.internal.perf.LifetimeLayout.STRETCH_TOP;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What the local variables and operands of each thread's frames refer to: a second stack, off the
 * heap, with the numbers of objects. A variable that is overwritten, or whose frame ends, stamps
 * its object. The frames that an exception ends are found where it is caught, or when a caller
 * returns.
 */
public final class FrameRoots {
  private static final Unsafe U = Unsafe.getUnsafe();
  private static final long FIELD = U.objectFieldOffset(Thread.class, "jvmscope$frames");
  private static final int STEP = 64 << 10;

  /** Stretches of threads that have ended. */
  private static final long FREE = Arena.zeroed(4L * MOST_STRETCHES);

  private static int freeCount;

  private FrameRoots() {}

  /** A frame for the method that was just entered; 0 if nothing is recorded. */
  @ForceInline
  @Hidden
  static long enter(Thread thread, long node, int shape) {
    if (LifetimeLog.base == 0L || Arena.isSink(node)) {
      return 0L;
    }
    long stretch = U.getLong(thread, FIELD);
    int bytes = shape & 0xFFFF;
    if (stretch == 0L
        || U.getLong(null, stretch + STRETCH_TOP) + bytes
            > U.getLong(null, stretch + STRETCH_END)) {
      stretch = makeRoom(thread, bytes);
      if (stretch == 0L) {
        return 0L;
      }
    }
    long top = U.getLong(null, stretch + STRETCH_TOP);
    long frame = stretch + top;
    U.putInt(null, frame, Arena.linkTo(node));
    U.putInt(null, frame + 4, shape);
    for (int k = FRAME_HEAD; k < bytes; k += 4) {
      U.putInt(null, frame + k, 0);
    }
    U.putLong(null, stretch + STRETCH_TOP, top + bytes);
    return frame;
  }

  @DontInline
  @Hidden
  private static long makeRoom(Thread thread, int bytes) {
    long stretch = U.getLong(thread, FIELD);
    LifetimeLog.lock();
    try {
      if (stretch == 0L) {
        stretch = takeStretch();
        U.putLong(thread, FIELD, stretch);
      }
      long end = stretch == 0L ? 0L : U.getLong(null, stretch + STRETCH_END);
      long needed = stretch == 0L ? 0L : U.getLong(null, stretch + STRETCH_TOP) + bytes;
      while (end < needed && end < STRETCH - STEP) {
        if (!LifetimeLog.reserve(stretch - LifetimeLog.base + end, STEP)) {
          break;
        }
        end += STEP;
        U.putLong(null, stretch + STRETCH_END, end);
      }
      if (stretch != 0L && end >= needed) {
        return stretch;
      }
    } finally {
      LifetimeLog.unlock();
    }
    LifetimeLog.lose(NO_FRAMES);
    return 0L;
  }

  /** A stretch with its head, that of an ended thread or a new one; 0 if there is none. */
  @Hidden
  private static long takeStretch() {
    if (freeCount > 0) {
      freeCount--;
      return stretchAt(U.getInt(null, FREE + 4L * freeCount));
    }
    int index = U.getInt(null, LifetimeLog.base + STRETCHES);
    long stretch = stretchAt(index);
    if (index == MOST_STRETCHES || !LifetimeLog.reserve(stretch - LifetimeLog.base, STEP)) {
      return 0L;
    }
    U.putLong(null, stretch + STRETCH_TOP, FIRST_FRAME);
    U.putLong(null, stretch + STRETCH_END, STEP);
    U.putInt(null, LifetimeLog.base + STRETCHES, index + 1);
    return stretch;
  }

  @Hidden
  private static long stretchAt(int index) {
    return LifetimeLog.base + FRAMES + STRETCH * index;
  }

  /** A method returns. */
  @ForceInline
  @Hidden
  static void leave(Thread thread, long frame) {
    if (frame == 0L) {
      return;
    }
    long stretch = U.getLong(thread, FIELD);
    int shape = U.getInt(null, frame + 4);
    long end = frame + (shape & 0xFFFF);
    if (U.getLong(null, stretch + STRETCH_TOP) != end - stretch) {
      release(stretch, end);
    }
    stampAll(frame, shape >>> 16);
    U.putLong(null, stretch + STRETCH_TOP, frame - stretch);
  }

  @ForceInline
  @Hidden
  private static void stampAll(long frame, int words) {
    int context = U.getInt(null, frame);
    for (int k = 0; k < words; k++) {
      int number = U.getInt(null, frame + FRAME_HEAD + 4L * k);
      if (number != 0) {
        LifetimeLog.stamp(number, context);
      }
    }
  }

  /** An exception was caught in a frame: those above it are gone, and its operands. */
  @ForceInline
  @Hidden
  static void caught(Thread thread, long frame, int firstOperand) {
    if (frame != 0L) {
      long stretch = U.getLong(thread, FIELD);
      long end = frame + (U.getInt(null, frame + 4) & 0xFFFF);
      if (U.getLong(null, stretch + STRETCH_TOP) != end - stretch) {
        release(stretch, end);
      }
      for (long word = frame + firstOperand; word < end; word += 4L) {
        int number = U.getInt(null, word);
        if (number != 0) {
          U.putInt(null, word, 0);
          LifetimeLog.stamp(number < 0 ? -number : number, U.getInt(null, frame));
        }
      }
    }
  }

  /** Where a thread's last frame ends; 0 if it has had none. */
  @Hidden
  static long lastEnd(Thread thread) {
    long stretch = LifetimeLog.base == 0L ? 0L : U.getLong(thread, FIELD);
    return stretch == 0L ? 0L : stretch + U.getLong(null, stretch + STRETCH_TOP);
  }

  /** An exception was caught where the last frame ended there: those above it are gone. */
  @Hidden
  static void caughtAbove(Thread thread, long end) {
    long stretch = LifetimeLog.base == 0L ? 0L : U.getLong(thread, FIELD);
    long from = end == 0L ? stretch + FIRST_FRAME : end;
    if (stretch != 0L && stretch + U.getLong(null, stretch + STRETCH_TOP) > from) {
      release(stretch, from);
    }
  }

  /**
   * Ends all frames of a stretch from one on, the innermost first: what a caller refers to, too,
   * dies with the caller. Each frame gets the size of the one before it in the place of its words,
   * whose number is known by its own size.
   */
  @DontInline
  @Hidden
  private static void release(long stretch, long from) {
    long top = stretch + U.getLong(null, stretch + STRETCH_TOP);
    int before = 0;
    for (long frame = from; frame < top; ) {
      int bytes = U.getInt(null, frame + 4) & 0xFFFF;
      U.putInt(null, frame + 4, bytes | before << 16);
      before = bytes;
      frame += bytes;
    }
    for (long frame = top; frame > from; ) {
      frame -= before;
      int shape = U.getInt(null, frame + 4);
      stampAll(frame, ((shape & 0xFFFF) - FRAME_HEAD) / 4 - 1);
      before = shape >>> 16;
    }
    U.putLong(null, stretch + STRETCH_TOP, from - stretch);
  }

  /** A thread is back at its root. */
  @Hidden
  static void unwind(Thread thread) {
    long stretch = LifetimeLog.base == 0L ? 0L : U.getLong(thread, FIELD);
    if (stretch != 0L) {
      release(stretch, stretch + FIRST_FRAME);
    }
  }

  /** A thread has ended; another one may have its stretch. */
  @Hidden
  static void end(Thread thread) {
    long stretch = LifetimeLog.base == 0L ? 0L : U.getLong(thread, FIELD);
    if (stretch == 0L) {
      return;
    }
    release(stretch, stretch + FIRST_FRAME);
    U.putLong(thread, FIELD, 0L);
    LifetimeLog.lock();
    try {
      long index = (stretch - LifetimeLog.base - FRAMES) / STRETCH;
      U.putInt(null, FREE + 4L * freeCount, (int) index);
      freeCount++;
    } finally {
      LifetimeLog.unlock();
    }
  }
}
