package io.jvmscope.watch;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/** What a thread says of itself, without calling what its class may have instead. */
final class ThreadFacts {
  /** The number of a thread that does not tell. */
  static final long UNKNOWN = 0;

  private static final MethodHandle NUMBER = find("threadId", long.class); // from Java 19 on
  private static final MethodHandle IS_VIRTUAL = find("isVirtual", boolean.class);

  /** Whether a class of threads has a method of its own for the number, as it may before 19. */
  private static final ClassValue<Boolean> HAS_OWN_NUMBER =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          try {
            return type.getMethod("getId").getDeclaringClass() != Thread.class;
          } catch (NoSuchMethodException e) {
            return true;
          }
        }
      };

  private ThreadFacts() {}

  /** A method that no class can override; null: this VM does not have it. */
  private static MethodHandle find(String name, Class<?> type) {
    try {
      return MethodHandles.publicLookup().findVirtual(Thread.class, name, methodType(type));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** The number that a thread has in Java. */
  @SuppressWarnings("deprecation") // getId, by 19 and later, which have threadId
  static long number(Thread thread) {
    try {
      if (NUMBER != null) {
        return (long) NUMBER.invokeExact(thread);
      }
      return HAS_OWN_NUMBER.get(thread.getClass()) ? UNKNOWN : thread.getId();
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable e) {
      return UNKNOWN;
    }
  }

  static boolean isVirtual(Thread thread) {
    try {
      return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread);
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable e) {
      return false;
    }
  }
}
