package jdk.internal.perf;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Counts the bytecodes of each thread, and tells the agent of the thread's tree whenever it has
 * executed so many again: at a basic block of the program, where no lock of the JDK is held.
 */
public final class TickProbe {
  private static final Unsafe U = Unsafe.getUnsafe();
  private static final long ROOT_FIELD = U.objectFieldOffset(Thread.class, "jvmscope$root");

  private static long every = Long.MAX_VALUE;

  private TickProbe() {}

  /** Tells of each tree every so many bytecodes from now on. */
  public static void tellEvery(long bytecodes) {
    every = bytecodes;
  }

  /** A block of the JDK is about to be executed. */
  @ForceInline
  @Hidden
  public static void tick(Thread thread, long node, int bytecodes) {
    long root = U.getLong(thread, ROOT_FIELD);
    if (root != 0L && !Arena.isSink(node)) {
      long at = Arena.base + root + Roots.TICKS;
      U.putLong(null, at, U.getLong(null, at) + bytecodes);
    }
  }

  /** A block of the program is about to be executed. */
  @ForceInline
  @Hidden
  public static void tickOrTell(Thread thread, long node, int bytecodes) {
    long root = U.getLong(thread, ROOT_FIELD);
    if (root != 0L && !Arena.isSink(node)) {
      long at = Arena.base + root + Roots.TICKS;
      long ticks = U.getLong(null, at) + bytecodes;
      U.putLong(null, at, ticks);
      if (ticks >= every) {
        tell(at, ticks);
      }
    }
  }

  @DontInline
  @Hidden
  private static void tell(long at, long ticks) {
    U.putLong(null, at, ticks % every);
    AgentPort.tellTree(at - Roots.TICKS);
  }
}
