package jdk.internal.perf;

import jdk.internal.vm.annotation.Hidden;

/**
 * What the library in C that counts native code is told ({@code collector/native}); it sets {@link
 * #listens} and provides the methods before the program starts, if it is there.
 */
public final class NativePort {
  private static boolean listens;

  private NativePort() {}

  /** What the current thread does from now on is the recording's work, or the program's. */
  @Hidden
  static void tellPaused(boolean isPaused) {
    if (listens) {
      setPaused(isPaused);
    }
  }

  @Hidden
  private static native void setPaused(boolean isPaused);
}
