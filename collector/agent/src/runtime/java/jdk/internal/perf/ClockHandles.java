package jdk.internal.perf;

import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import jdk.internal.vm.annotation.Hidden;

/**
 * Leads method handles and reflection to the {@link LogicalClock}, as the instrumented code of a
 * caller does. What they are asked for is compared while the thread pauses.
 */
public final class ClockHandles {
  private static final String PREFIX = "jvmscope$";
  private static final int LAST_WITH_NATIVE_SLEEP = 18;

  private ClockHandles() {}

  /** The class in which to look for a static method. */
  @Hidden
  public static Class<?> ownerOf(Class<?> owner, String name, MethodType type) {
    return isRead(owner, name, type) ? Object.class : owner;
  }

  /** The name under which to look for it. */
  @Hidden
  public static String nameOf(Class<?> owner, String name, MethodType type) {
    if (!isRead(owner, name, type)) {
      return name;
    }
    long slot = ThreadSlot.pause();
    try {
      return PREFIX.concat(name);
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  @Hidden
  private static boolean isRead(Class<?> owner, String name, MethodType type) {
    if (owner != System.class && owner != Thread.class || name == null || type == null) {
      return false;
    }
    long slot = ThreadSlot.pause();
    try {
      return find(owner, name, type.parameterCount()) != null;
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  /** The method to call instead of one that is called by reflection. */
  @Hidden
  public static Method inPlaceOf(Method method) {
    long slot = ThreadSlot.pause();
    try {
      Class<?> owner = method.getDeclaringClass();
      Class<?> target = find(owner, method.getName(), method.getParameterCount());
      if (target == null) {
        return method;
      }
      Method found = target.getDeclaredMethod(method.getName(), method.getParameterTypes());
      found.setAccessible(true);
      return found;
    } catch (NoSuchMethodException e) {
      return method;
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  /** The class that has a static method in place of a native; null if the method stays. */
  private static Class<?> find(Class<?> owner, String name, int parameters) {
    if (owner == System.class && parameters == 0) {
      boolean isClock = name.equals("nanoTime") || name.equals("currentTimeMillis");
      return isClock ? LogicalClock.class : null;
    }
    boolean isSleep = owner == Thread.class && name.equals("sleep") && parameters == 1;
    return isSleep && Runtime.version().feature() <= LAST_WITH_NATIVE_SLEEP
        ? ClockWaits.class
        : null;
  }
}
