package jdk.internal.perf;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * Stack traces without the methods that call natives for the program: a frame of a native that has
 * a prefixed name stands for itself and the one below it.
 */
public final class DisguisedFrames {
  private static final Unsafe U = Unsafe.getUnsafe();
  private static final long METHOD = U.objectFieldOffset(StackTraceElement.class, "methodName");

  private static boolean hasPrefixed;

  private DisguisedFrames() {}

  /** From now on natives of some classes have a prefixed name. */
  public static void hidePrefixed() {
    hasPrefixed = true;
  }

  /** The frames of one stack trace, which may be null. */
  @Hidden
  public static StackTraceElement[] visibleFrames(StackTraceElement[] frames) {
    if (!hasPrefixed || frames == null || frames.length == 0) {
      return frames;
    }
    long slot = ThreadSlot.pause();
    try {
      int kept = 0;
      for (int i = 0; i < frames.length; i++) {
        kept++;
        i += isPrefixed(frames[i]) ? 1 : 0;
      }
      if (kept == frames.length && !isPrefixed(frames[kept - 1])) {
        return frames;
      }
      StackTraceElement[] visible = new StackTraceElement[kept];
      int n = 0;
      for (int i = 0; i < frames.length; i++) {
        visible[n++] = frames[i];
        if (isPrefixed(frames[i])) {
          strip(frames[i]);
          i++;
        }
      }
      return visible;
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  /** Those of several threads; the arrays of one that has ended are null. */
  @Hidden
  public static StackTraceElement[][] visibleTraces(StackTraceElement[][] traces) {
    if (hasPrefixed && traces != null) {
      for (int i = 0; i < traces.length; i++) {
        traces[i] = visibleFrames(traces[i]);
      }
    }
    return traces;
  }

  /** A frame by itself, as {@code StackWalker} shows it. */
  @Hidden
  public static StackTraceElement visibleFrame(StackTraceElement frame) {
    if (hasPrefixed) {
      long slot = ThreadSlot.pause();
      try {
        if (isPrefixed(frame)) {
          strip(frame);
        }
      } finally {
        ThreadSlot.resume(slot);
      }
    }
    return frame;
  }

  /**
   * Gives a frame of a {@code StackWalker} the native's own name; tells whether it had another, so
   * that the frame that follows is to be skipped.
   */
  @Hidden
  public static boolean rename(StackWalker.StackFrame frame) {
    if (!hasPrefixed || frame == null) {
      return false;
    }
    long slot = ThreadSlot.pause();
    try {
      if (frame.getClass() != WalkedFrames.FRAME) {
        return false; // one that knows its class only
      }
      String name = frame.getMethodName();
      if (!name.startsWith(Disguise.PREFIX)) {
        return false;
      }
      WalkedFrames.setName(frame, name.substring(Disguise.PREFIX.length()));
      return true;
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  /** Is a frame that knows its class only (since JDK 22) that of a method that calls a native? */
  @Hidden
  public static boolean isWrapper(StackWalker.StackFrame frame) {
    if (!hasPrefixed || frame == null) {
      return false;
    }
    long slot = ThreadSlot.pause();
    try {
      return frame.getClass() == WalkedFrames.CLASS_FRAME
          && WalkedFrames.FLAGS >= 0
          && Disguise.isWrapper(U.getInt(frame, WalkedFrames.FLAGS));
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  /** The frame to show in place of such a one; of the last of a walk, itself. */
  @Hidden
  public static StackWalker.StackFrame nextOr(
      StackWalker.StackFrame next, StackWalker.StackFrame frame) {
    return next == null ? frame : next;
  }

  private static boolean isPrefixed(StackTraceElement frame) {
    return frame.getMethodName().startsWith(Disguise.PREFIX);
  }

  private static void strip(StackTraceElement frame) {
    U.putReference(frame, METHOD, frame.getMethodName().substring(Disguise.PREFIX.length()));
  }

  /** Where a walked frame has its name; looked for when the first is renamed. */
  private static final class WalkedFrames {
    private static final Class<?> FRAME = named("java.lang.StackFrameInfo");
    private static final Class<?> CLASS_FRAME = named("java.lang.ClassFrameInfo");
    private static final long FLAGS = offset(CLASS_FRAME, "flags");
    private static final long MEMBER = offset(FRAME, "memberName"); // before JDK 22
    private static final long NAME =
        MEMBER < 0 ? offset(FRAME, "name") : offset(named("java.lang.invoke.MemberName"), "name");

    static void setName(Object frame, String name) {
      if (NAME >= 0) {
        U.putReference(MEMBER < 0 ? frame : U.getReference(frame, MEMBER), NAME, name);
      }
    }

    private static long offset(Class<?> type, String field) {
      try {
        return U.objectFieldOffset(type, field);
      } catch (InternalError e) {
        return -1;
      }
    }

    private static Class<?> named(String name) {
      try {
        return Class.forName(name);
      } catch (ClassNotFoundException e) {
        return Object.class;
      }
    }
  }
}
