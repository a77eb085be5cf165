import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Reflection, method handles and var handles: frames between caller and callee are the VM's. */
public final class Reflective {
  public static final class Target {
    public int value;
    private static volatile int shared;

    public Target(int value) { // expect: calls=23
      if (value < 0) {
        throw new IllegalArgumentException("negative"); // expect: executions=1
      }
      this.value = value; // expect: executions=22
    }

    public int add(int n) { // expect: calls=23
      return value + n;
    }

    public static int twice(int n) { // expect: calls=4
      return 2 * n;
    }

    private long secret(double d, Object o) { // expect: calls=2
      return (long) d + (o == null ? 0 : 1);
    }
  }

  private static int reflect() throws ReflectiveOperationException {
    Constructor<Target> constructor = Target.class.getConstructor(int.class);
    Method add = Target.class.getMethod("add", int.class);
    int sum = 0;
    for (int i = 0; i < 20; i++) { // beyond the inflation threshold of 15
      sum += (Integer) add.invoke(constructor.newInstance(i), 1); // expect: executions=20
    }
    Method secret = Target.class.getDeclaredMethod("secret", double.class, Object.class);
    secret.setAccessible(true);
    sum += (int) (long) (Long) secret.invoke(new Target(0), 2.5, "o");
    try {
      constructor.newInstance(-1);
    } catch (InvocationTargetException e) {
      sum += e.getCause().getMessage().length(); // expect: executions=1
    }
    Field field = Target.class.getField("value");
    Target target = TARGET;
    field.setInt(target, 40);
    return sum + field.getInt(target) + Array.getLength(new int[3]);
  }

  private static final Target TARGET = new Target(5);

  private static int handles() throws Throwable {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    MethodHandle add =
        lookup.findVirtual(Target.class, "add", MethodType.methodType(int.class, int.class));
    MethodHandle twice =
        lookup.findStatic(Target.class, "twice", MethodType.methodType(int.class, int.class));
    MethodHandle both = MethodHandles.filterReturnValue(add, twice);
    int sum = (int) add.invokeExact(TARGET, 3);
    sum += (int) both.invoke(TARGET, 3);
    sum += (Integer) twice.invokeWithArguments(7);
    MethodHandle bound = add.bindTo(TARGET);
    sum += (int) bound.invokeExact(9);
    MethodHandle secret =
        MethodHandles.privateLookupIn(Target.class, lookup)
            .findVirtual(
                Target.class,
                "secret",
                MethodType.methodType(long.class, double.class, Object.class));
    sum += (int) (long) secret.invokeExact(TARGET, 1.5, (Object) null);
    MethodHandle guarded =
        MethodHandles.guardWithTest(
            lookup.findStatic(
                Reflective.class, "isBig", MethodType.methodType(boolean.class, int.class)),
            twice,
            MethodHandles.identity(int.class));
    for (int i = 9; i < 12; i++) {
      sum += (int) guarded.invokeExact(i); // expect: executions=3
    }
    return sum;
  }

  private static boolean isBig(int n) { // expect: calls=3
    return n > 9;
  }

  private static int variables() throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(Target.class, MethodHandles.lookup());
    VarHandle shared = lookup.findStaticVarHandle(Target.class, "shared", int.class);
    VarHandle value = lookup.findVarHandle(Target.class, "value", int.class);
    VarHandle element = MethodHandles.arrayElementVarHandle(long[].class);
    long[] array = new long[2];
    shared.setVolatile(3);
    int sum = (int) shared.getAndAdd(4);
    sum += value.compareAndSet(TARGET, 40, 41) ? 1 : 0;
    element.setRelease(array, 1, 6L);
    return sum + (int) shared.get() + (int) (long) element.getAcquire(array, 1);
  }

  public static void main(String[] args) throws Throwable {
    System.out.println(reflect());
    System.out.println(handles());
    System.out.println(variables());
  }
}
