package jdk.internal.perf;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Locks for a few steps, in which a thread cannot be unmounted. Each is an int outside the heap: 1
 * while a thread has it.
 *
 * <p>A stack that overflowed meanwhile would leave a lock taken for ever, and what it guards half
 * changed. {@code ReservedStackAccess} would have the VM print a warning among the program's lines.
 * So the stack overflows beforehand, if it will.
 */
public final class SpinLock {
  private static final Unsafe U = Unsafe.getUnsafe();

  /** Frames of {@link #reach}: more stack than anything needs until it unlocks. */
  private static final int FRAMES = 24;

  private SpinLock() {}

  /** Takes the lock at an address; a stack overflow leaves it as it was. */
  @Hidden
  static void lock(long address) {
    reach();
    while (!U.compareAndSetInt(null, address, 0, 1)) {
      continue;
    }
  }

  @Hidden
  static void unlock(long address) {
    U.putIntVolatile(null, address, 0);
  }

  /** Overflows the stack, if a few steps more would. */
  @Hidden
  static void reach() {
    reach(0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, FRAMES);
  }

  @Hidden
  @DontInline
  private static long reach(long a, long b, long c, long d, long e, long f, long g, long h, int n) {
    return n == 0 ? a : 1L + reach(a, b, c, d, e, f, g, h, n - 1);
  }
}
