package battery;

import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Members used by reflection: calls, what is thrown, and proxies. */
final class Accessors {
  static int thrown;

  private Accessors() {}

  private static int fails(int depth) {
    if (depth == 0) {
      throw new IllegalStateException("deep");
    }
    return fails(depth - 1);
  }

  static void run(PrintStream out) throws Exception {
    Method fails = Accessors.class.getDeclaredMethod("fails", int.class);
    for (int i = 0; i < 20; i++) {
      try {
        fails.invoke(null, 2);
      } catch (InvocationTargetException e) {
        if (i % 19 == 0) {
          Traces.print(out, e);
        }
      }
    }
    Method hidden = Specimens.WithNatives.class.getDeclaredMethod("hidden");
    hidden.setAccessible(true);
    try {
      hidden.invoke(new Specimens.WithNatives());
    } catch (InvocationTargetException e) {
      out.println(e.getCause());
    }
    for (Object[] bad : new Object[][] {{}, {"x"}, {1, 2}, {null}}) {
      try {
        fails.invoke(null, bad);
      } catch (IllegalArgumentException | NullPointerException e) {
        out.println(e.getMessage());
      }
    }
    Object proxy = Proxy.newProxyInstance(
        Accessors.class.getClassLoader(),
        new Class<?>[] {Specimens.WithDefault.class, Runnable.class},
        (self, method, arguments) -> {
          Traces.print(out, new Throwable(method.toString()));
          return method.getReturnType() == int.class ? 1 : null;
        });
    ((Runnable) proxy).run();
    out.println(((Specimens.WithDefault) proxy).once(3));
    Members.declared(out, proxy.getClass());
    out.println(proxy.getClass().getName() + proxy.getClass().getModule().isNamed());
  }
}
