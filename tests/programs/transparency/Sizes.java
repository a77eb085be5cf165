package battery;

import java.lang.instrument.Instrumentation;
import java.lang.module.ModuleReader;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.IntSupplier;
import sun.misc.Unsafe;

/** An agent of the program's own, which asks for the sizes of objects of every class. */
public final class Sizes {
  private static Instrumentation instrumentation;

  private Sizes() {}

  public static void premain(String options, Instrumentation given) {
    instrumentation = given;
  }

  /** Below a class of the VM's own, to which the recording adds fields whatever is recorded. */
  static class Worker extends Thread {
    byte small;
    long large;
    Object reference;
  }

  static class Busy extends Worker {
    int more;
  }

  static class Weak extends java.lang.ref.WeakReference<Object> {
    boolean flag;

    Weak() {
      super(null);
    }
  }

  static class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;
    int code;
  }

  record Triple(byte a, long b, Object c) {}

  /** Of all classes of java.base of which there can be objects, and of those that are here. */
  public static void main(String[] arguments) throws Exception {
    Field field = Unsafe.class.getDeclaredField("theUnsafe");
    field.setAccessible(true);
    Unsafe unsafe = (Unsafe) field.get(null);
    for (String name : names()) {
      Class<?> type = Class.forName(name, false, Sizes.class.getClassLoader());
      if (!Modifier.isAbstract(type.getModifiers()) && type != Class.class) {
        try {
          print(name, unsafe.allocateInstance(type));
        } catch (InstantiationException | RuntimeException | Error e) {
          System.out.println(name + " " + e.getClass());
        }
      }
    }
    int captured = arguments.length;
    IntSupplier lambda = () -> captured;
    Object proxy = Proxy.newProxyInstance(Sizes.class.getClassLoader(),
        new Class<?>[] {Specimens.WithDefault.class}, (object, method, values) -> null);
    Object[] own = {new Worker(), new Busy(), new Weak(), new Failure(), new Triple((byte) 1, 2, 3),
      new Specimens.Plain(), new Specimens.Plain().new Inner(), Specimens.local(),
      Specimens.anonymous(), Specimens.Colour.GREEN, lambda, proxy, "text", new int[3],
      new Object[7], Thread.currentThread(), new Object()};
    for (Object object : own) {
      print(object.getClass().getName(), object);
    }
    for (Class<?> type : Specimens.ALL) {
      print("the class " + type.getName(), type);
    }
    for (Class<?> type : List.of(Object.class, String.class, Thread.class, Class.class)) {
      print("the class " + type.getName(), type);
    }
  }

  static List<String> names() throws Exception {
    try (ModuleReader reader = ModuleLayer.boot().configuration().findModule("java.base")
        .orElseThrow().reference().open()) {
      return reader.list()
          .filter(file -> file.endsWith(".class") && !file.equals("module-info.class"))
          .map(file -> file.substring(0, file.length() - 6).replace('/', '.'))
          .sorted()
          .toList();
    }
  }

  private static void print(String name, Object object) {
    System.out.println(name + " " + instrumentation.getObjectSize(object));
  }
}
