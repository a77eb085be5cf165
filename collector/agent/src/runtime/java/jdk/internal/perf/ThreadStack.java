package jdk.internal.perf;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The sizes of the stacks of threads. Instrumented frames are larger, so the VM is asked for more
 * than the program asked for; {@code Thread} keeps the program's number. The sizes of main and of
 * threads that name none are on the command line ({@code stacks.py}, which has the same factor).
 *
 * <p>Runs in the middle of the program: nothing here calls an instrumented method.
 */
public final class ThreadStack {
  private static final Unsafe U = Unsafe.getUnsafe();
  private static final long FACTOR = 4;

  /** The VM takes any smaller size for about this. */
  private static final long SMALLEST = 192L << 10;

  /** The VM takes no larger one on its command line. */
  private static final long LARGEST = 1L << 30;

  /**
   * Frames of {@link #reserve}: compiled, each takes 32 bytes or more. Instrumenting a class took 6
   * KB, interpreted.
   */
  private static final int RESERVED = 512;

  private static long holderField; // 0: before JDK 19 the thread has the size itself
  private static long sizeField; // 0: not known yet
  private static long defaultSize; // 0: the VM's

  private ThreadStack() {}

  /** Finds the fields, once the VM can. */
  static void begin() {
    Class<?> holder = Thread.class;
    try {
      holderField = U.objectFieldOffset(Thread.class, "holder");
      holder = Class.forName("java.lang.Thread$FieldHolder");
    } catch (InternalError | ClassNotFoundException e) {
      holderField = 0L;
    }
    sizeField = U.objectFieldOffset(holder, "stackSize");
  }

  /** The size in bytes for threads that name none, where it is not that of the VM; 0: it is. */
  public static void setDefault(long size) {
    defaultSize = size;
  }

  /** Before the VM makes a thread's stack; returns the size that the program gave. */
  @Hidden
  public static long widen(Thread thread) {
    if (sizeField == 0L) {
      return 0L;
    }
    Object holder = holderOf(thread);
    long size = U.getLong(holder, sizeField);
    U.putLong(holder, sizeField, size <= 0L ? defaultSize : widened(size));
    return size;
  }

  private static long widened(long size) {
    long asked = size < SMALLEST ? SMALLEST : size;
    long wide = asked > LARGEST / FACTOR ? LARGEST : asked * FACTOR;
    return wide < asked ? asked : wide;
  }

  /** The VM has made the stack, or could not. */
  @Hidden
  public static void restore(Thread thread, long size) {
    if (sizeField != 0L) {
      U.putLong(holderOf(thread), sizeField, size);
    }
  }

  /**
   * Before a class is defined or looked for: overflows the stack where the VM could not ask the
   * agent about the class, or the agent could not instrument it. The class would be one that does
   * not count, and java.lang.instrument would print an assertion on the program's standard error.
   */
  @Hidden
  public static void reserve() {
    reserve(RESERVED);
  }

  @DontInline
  @Hidden
  private static int reserve(int frames) {
    return frames == 0 ? 0 : reserve(frames - 1) + 1;
  }

  private static Object holderOf(Thread thread) {
    return holderField == 0L ? thread : U.getReference(thread, holderField);
  }
}
