package jdk.internal.perf;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Tells which calls have reached a method that is counted at its call sites, where one with a body
 * may be selected in its place: {@code get} of a class below {@code Reference}, {@code
 * currentThread} by the name of a subclass of {@code Thread}. Methods of such names count their
 * entries, by thread. If none was entered during a call, it reached the other one, which runs no
 * Java.
 */
public final class StandIns {
  private static final Unsafe U = Unsafe.getUnsafe();
  private static final long FIELD = U.objectFieldOffset(Thread.class, "jvmscope$standIns");

  private StandIns() {}

  /** How often a thread has entered such a method. */
  @ForceInline
  @Hidden
  public static int entered(Thread thread) {
    return U.getInt(thread, FIELD);
  }

  /** A thread enters such a method. */
  @ForceInline
  @Hidden
  public static void enter(Thread thread) {
    U.putInt(thread, FIELD, U.getInt(thread, FIELD) + 1);
  }

  /**
   * After a call of clone: what the clone is a copy of, itself if a method with a body made it.
   *
   * @param before how often the thread had entered such a method
   */
  @ForceInline
  @Hidden
  public static Object copied(Object original, Object clone, int before, Thread thread) {
    return entered(thread) == before ? original : clone;
  }

  /** The same after a virtual call. */
  @ForceInline
  @Hidden
  public static Object copiedBy(Object original, Object clone) {
    return ClassWord.mayBeFirstToCopy(original) ? original : clone;
  }
}
