package io.jvmscope.agent;

import java.lang.reflect.Field;
import java.nio.ByteOrder;
import java.util.Set;

/** The machine's properties that {@code jdk.internal.misc.UnsafeConstants} holds. */
final class Platform {
  /** Where hotspot sets UNALIGNED_ACCESS; elsewhere it stays false until the VM sets it. */
  private static final Set<String> UNALIGNED =
      Set.of("amd64", "x86_64", "x86", "i386", "aarch64", "ppc64le", "s390x");

  /** Those that counting needs from the VM's first method on. */
  static final Set<String> CONSTANTS =
      Set.of("ADDRESS_SIZE0", "PAGE_SIZE", "BIG_ENDIAN", "UNALIGNED_ACCESS");

  private Platform() {}

  /** A constant as an int, booleans as 0 and 1; null for one that may wait for the VM. */
  static Integer constant(String name) {
    return switch (name) {
      case "ADDRESS_SIZE0" -> ask("addressSize");
      case "PAGE_SIZE" -> ask("pageSize");
      case "BIG_ENDIAN" -> ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? 1 : 0;
      case "UNALIGNED_ACCESS" -> UNALIGNED.contains(System.getProperty("os.arch")) ? 1 : 0;
      default -> null;
    };
  }

  private static int ask(String method) {
    try {
      Class<?> unsafe = Class.forName("sun.misc.Unsafe");
      Field field = unsafe.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Integer) unsafe.getMethod(method).invoke(field.get(null));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("sun.misc.Unsafe." + method + " cannot be called", e);
    }
  }
}
