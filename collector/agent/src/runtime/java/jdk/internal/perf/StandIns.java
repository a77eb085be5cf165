package jdk.internal.perf;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Tells which calls have reached a method that is counted at its call sites, where one with a body
 * may be selected in its place: {@code get} of a class below {@code Reference}, {@code
 * currentThread} by the name of a subclass of {@code Thread}. Methods of such names say, when they
 * return, through which slot they were called. A call that nobody says this of has reached the
 * other one. What the VM calls on the way, to load or initialise a class, comes through the same
 * slot, but has other names.
 */
public final class StandIns {
  private static final Unsafe U = Unsafe.getUnsafe();
  private static final long FIELD = U.objectFieldOffset(Thread.class, "jvmscope$standIn");

  private StandIns() {}

  /** A call is about to be made that may reach a leaf. */
  @ForceInline
  @Hidden
  public static void begin(Thread thread) {
    U.putLong(thread, FIELD, 0L);
  }

  /** A method returns that may stand in for a leaf; one that the recording calls does not count. */
  @ForceInline
  @Hidden
  public static void leave(Thread thread, long slot) {
    if (!Arena.isSink(slot)) {
      U.putLong(thread, FIELD, slot);
    }
  }

  /** Has the call through a slot, which has returned, reached a leaf? */
  @ForceInline
  @Hidden
  public static boolean isReached(Thread thread, long slot) {
    return U.getLong(thread, FIELD) != slot;
  }

  /** After a call of clone: what the clone is a copy of, itself if a method with a body made it. */
  @ForceInline
  @Hidden
  public static Object originalOf(Object original, Object clone, Thread thread, long slot) {
    return isReached(thread, slot) ? original : clone;
  }

  /** The same after a virtual call. */
  @ForceInline
  @Hidden
  public static Object originalBy(Object original, Object clone) {
    return ClassWord.mayBeFirstToCopy(original) ? original : clone;
  }
}
