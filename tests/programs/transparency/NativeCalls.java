package battery;

import java.io.PrintStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.IntBinaryOperator;

/** Natives of a library of the program's own: called, registered, called back, failing. */
final class NativeCalls {
  static int calls;

  private NativeCalls() {}

  private static native int plus(int a, int b);

  static native String same(int a);

  static native String same(String a);

  private native int ofInstance(long a, double b, Object c);

  static synchronized native boolean holdsLock(Object lock);

  static native void callBack(Runnable runnable);

  static native void throwing(String message);

  static native int registered(int a);

  private native String registeredInstance(String a);

  static native int unregistered(int a);

  /** Looks for a native, calls it by its id, and gives its reflection. */
  static native Method reflect(Class<?> type, String name, String descriptor, boolean isStatic);

  static native int callById(Class<?> type, String name, String descriptor, int argument);

  static native long fieldId(Class<?> type, String name, String descriptor);

  static native int register(Class<?> type);

  static native int registerUnknown(Class<?> type, String name, String descriptor);

  static native int unregister(Class<?> type);

  static void run(PrintStream out) throws Throwable {
    String library = System.getProperty("battery.library");
    if (library == null) {
      out.println("no library");
      return;
    }
    System.load(library);
    out.println(plus(1, 2) + same(3) + same("s") + new NativeCalls().ofInstance(1, 2, "x"));
    out.println(holdsLock(NativeCalls.class));
    callBack(() -> {
      Traces.print(out, new Throwable("called back"));
      Traces.walk(out);
      Object callers = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
          .walk(frames -> frames.map(f -> f.getDeclaringClass().getName()).distinct().toList());
      out.println(callers);
    });
    Links.attempt(out, () -> throwing("from C"));
    Links.attempt(out, () -> callBack(() -> {
      throw new IllegalStateException("in a call back");
    }));
    Links.attempt(out, () -> callBack(null));
    Traces.ofOther(out, NativeCalls::callBack);
    ways(out);
    ids(out);
    registration(out);
  }

  private static void ways(PrintStream out) throws Throwable {
    IntBinaryOperator reference = NativeCalls::plus;
    out.println(reference.applyAsInt(3, 4));
    Method method = NativeCalls.class.getDeclaredMethod("plus", int.class, int.class);
    for (int i = 0; i < 20; i++) {
      calls += (int) method.invoke(null, i, i);
    }
    out.println(calls + " " + method);
    Method throwing = NativeCalls.class.getDeclaredMethod("throwing", String.class);
    for (int i = 0; i < 20; i++) {
      try {
        throwing.invoke(null, "reflected");
      } catch (InvocationTargetException e) {
        if (i % 19 == 0) {
          Traces.print(out, e.getCause());
        }
      }
    }
    var handle = MethodHandles.lookup().findStatic(NativeCalls.class, "callBack",
        MethodType.methodType(void.class, Runnable.class));
    handle.invokeExact((Runnable) () -> Traces.print(out, new Throwable("by a handle")));
    out.println(MethodHandles.lookup().revealDirect(handle));
  }

  private static void ids(PrintStream out) throws Exception {
    out.println(callById(NativeCalls.class, "registered", "(I)I", 5));
    out.println(callById(NativeCalls.class, "noSuch", "(I)I", 5));
    out.println(reflect(NativeCalls.class, "ordinary", "(I)I", true));
    out.println(reflect(Object.class, "hashCode", "()I", false));
    out.println(fieldId(NativeCalls.class, "noSuch", "J") != 0);
  }

  static int ordinary(int a) {
    return a;
  }

  private static void registration(PrintStream out) {
    Links.attempt(out, () -> out.println(registered(1)));
    out.println(register(NativeCalls.class));
    Links.attempt(out, () -> out.println(registered(1)));
    out.println(new NativeCalls().registeredInstance("i"));
    for (String name : new String[] {"ordinary", "noSuch"}) {
      Links.attempt(out, () -> out.println(registerUnknown(NativeCalls.class, name, "(I)I")));
    }
    out.println(unregister(NativeCalls.class));
    Links.attempt(out, () -> out.println(registered(1)));
    Links.attempt(out, () -> out.println(unregistered(1)));
  }
}
