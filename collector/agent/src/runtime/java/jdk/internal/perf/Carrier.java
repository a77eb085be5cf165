package jdk.internal.perf;

import jdk.internal.vm.annotation.Hidden;

/**
 * Keeps a virtual thread on its carrier while it does the recording's own work. Since JDK 24, a
 * virtual thread that waits for a monitor leaves its carrier, which then runs code of the JDK that
 * is recorded, too. If that needs the same monitor, the carrier waits behind a thread that only the
 * carrier itself can continue.
 */
final class Carrier {
  private Carrier() {}

  /** Call {@link #release} with what this returns. */
  @Hidden
  static boolean hold() {
    boolean isVirtual = ThreadDescription.isVirtual(Thread.currentThread());
    if (isVirtual) {
      JdkBridge.pin();
    }
    return isVirtual;
  }

  @Hidden
  static void release(boolean isHeld) {
    if (isHeld) {
      JdkBridge.unpin();
    }
  }
}
