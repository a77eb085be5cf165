package io.jvmscope.watch;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** The number that a thread has in Java, without calling what its class may have instead. */
final class ThreadNumber {
  /** The number of a thread that does not tell. */
  static final long UNKNOWN = 0;

  private static final MethodHandle FINAL = find();

  private ThreadNumber() {}

  /** From Java 19 on there is a method that no class can override. */
  private static MethodHandle find() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "threadId", MethodType.methodType(long.class));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  static long of(Thread thread) {
    try {
      if (FINAL != null) {
        return (long) FINAL.invokeExact(thread);
      }
      boolean isOwn = thread.getClass().getMethod("getId").getDeclaringClass() != Thread.class;
      return isOwn ? UNKNOWN : thread.getId();
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable e) {
      return UNKNOWN;
    }
  }
}
