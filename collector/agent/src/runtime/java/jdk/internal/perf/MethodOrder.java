package jdk.internal.perf;

import java.lang.reflect.Method;
import jdk.internal.vm.annotation.Hidden;

/**
 * An order for the methods that reflection shows of a class: by name, parameters, result. The VM's
 * own is that of the addresses of their names in memory, which no two runs share.
 *
 * <p>Uses no class that might not be loaded yet: that would be an event taken from the program.
 */
public final class MethodOrder {
  private MethodOrder() {}

  /** The same methods, in order; the array may be the one given. */
  @Hidden
  public static Method[] sorted(Method[] methods) {
    long slot = ThreadSlot.pause();
    try {
      Method[] from = methods;
      Method[] to = new Method[methods.length];
      for (int width = 1; width < methods.length; width *= 2) {
        for (int start = 0; start < methods.length; start += 2 * width) {
          merge(from, to, start, width);
        }
        Method[] done = to;
        to = from;
        from = done;
      }
      return from;
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  /** Merges two sorted stretches of a width that follow each other. */
  private static void merge(Method[] from, Method[] to, int start, int width) {
    int middle = Math.min(start + width, from.length);
    int end = Math.min(middle + width, from.length);
    int left = start;
    int right = middle;
    for (int at = start; at < end; at++) {
      boolean isLeft = right == end || left < middle && compare(from[left], from[right]) <= 0;
      to[at] = isLeft ? from[left++] : from[right++];
    }
  }

  private static int compare(Method one, Method other) {
    int order = one.getName().compareTo(other.getName());
    if (order == 0) {
      order = one.getParameterCount() - other.getParameterCount();
    }
    Class<?>[] types = order == 0 ? one.getParameterTypes() : null;
    Class<?>[] others = order == 0 ? other.getParameterTypes() : null;
    for (int k = 0; order == 0 && k < types.length; k++) {
      order = types[k].getName().compareTo(others[k].getName());
    }
    return order == 0
        ? one.getReturnType().getName().compareTo(other.getReturnType().getName())
        : order;
  }
}
