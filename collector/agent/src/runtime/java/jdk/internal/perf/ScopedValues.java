package jdk.internal.perf;

import jdk.internal.misc.Unsafe;
import jdk.internal.misc.VM;

/**
 * The scoped values of the current thread. The VM forgets them when it throws a {@code
 * VirtualMachineError}, by which it says that a class has no field of a name; so who asks it puts
 * them back.
 */
final class ScopedValues {
  private static final Unsafe U = Unsafe.getUnsafe();
  private static final long BINDINGS =
      JdkBridge.hasScopedValues() ? U.objectFieldOffset(Thread.class, "scopedValueBindings") : 0L;

  private final Object[] cache;
  private final Object bindings;

  private ScopedValues(Object[] cache, Object bindings) {
    this.cache = cache;
    this.bindings = bindings;
  }

  /** Those of now; null if there are none: this JDK has none, or nobody can have bound any. */
  static ScopedValues current() {
    if (!VM.isBooted() || BINDINGS == 0L) {
      return null;
    }
    Object bindings = U.getReference(Thread.currentThread(), BINDINGS);
    return new ScopedValues(JdkBridge.scopedValueCache(), bindings);
  }

  /** Puts values back, unless they are null. */
  static void restore(ScopedValues values) {
    if (values != null) {
      U.putReference(Thread.currentThread(), BINDINGS, values.bindings);
      JdkBridge.setScopedValueCache(values.cache);
    }
  }
}
