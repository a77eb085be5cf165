package battery;

import java.io.PrintStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.function.IntBinaryOperator;

/** Method and variable handles. */
final class Handles {
  private Handles() {}

  static void run(PrintStream out) throws Throwable {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    for (Method method : Specimens.WithNatives.class.getDeclaredMethods()) {
      method.setAccessible(true);
    }
    MethodHandles.Lookup inside =
        MethodHandles.privateLookupIn(Specimens.WithNatives.class, lookup);
    java.util.List<Method> methods =
        new java.util.ArrayList<>(java.util.List.of(
            Specimens.WithNatives.class.getDeclaredMethods()));
    methods.sort((a, b) -> a.toString().compareTo(b.toString()));
    for (Method method : methods) {
      MethodHandle handle = inside.unreflect(method);
      out.println(handle + " " + handle.isVarargsCollector());
      reveal(out, inside, handle);
    }
    reveal(out, inside, inside.findVirtual(Specimens.WithNatives.class, "visible",
        MethodType.methodType(int.class, int.class, String[].class)));
    reveal(out, lookup, lookup.findVirtual(Object.class, "hashCode",
        MethodType.methodType(int.class)));
    reveal(out, lookup, lookup.findStatic(Math.class, "max",
        MethodType.methodType(int.class, int.class, int.class)));
    VarHandle handle = inside.findVarHandle(
        Specimens.WithNatives.class, "volatileField", long.class);
    Specimens.WithNatives object = new Specimens.WithNatives();
    out.println(handle + " " + handle.compareAndSet(object, 0L, 5L) + object.volatileField);
    MethodHandles.Lookup full = MethodHandles.privateLookupIn(Class.class, lookup);
    MethodHandle fields = full.findVirtual(Class.class, "getDeclaredFields0",
        MethodType.methodType(java.lang.reflect.Field[].class, boolean.class));
    out.println(Members.sorted((java.lang.reflect.Field[]) fields.invoke(Thread.class, false),
        Object::toString));
    IntBinaryOperator adds = Math::addExact;
    out.println(adds.applyAsInt(1, 2));
    MethodHandle thrower = MethodHandles.throwException(void.class, RuntimeException.class);
    try {
      thrower.invoke(new RuntimeException("thrown"));
    } catch (RuntimeException e) {
      Traces.print(out, e);
    }
    MethodHandle spread = lookup.findStatic(Handles.class, "traced",
        MethodType.methodType(String.class, int.class, String.class)).asSpreader(Object[].class, 2);
    out.println((String) spread.invoke(new Object[] {1, "a"}));
  }

  static String traced(int a, String b) {
    return a + b + new Throwable().getStackTrace()[1];
  }

  private static void reveal(PrintStream out, MethodHandles.Lookup lookup, MethodHandle handle) {
    MethodHandleInfo info = lookup.revealDirect(handle);
    out.println("  " + info + " " + info.getModifiers() + " " + info.isVarArgs() + " "
        + Modifier.toString(info.getModifiers()) + " " + handle.describeConstable().isPresent()
        + " " + info.reflectAs(Method.class, lookup));
  }
}
