import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** Dynamic proxies: classes spun at run time, called through interfaces and Object's methods. */
public final class Proxies {
  private interface Service {
    int serve(int n);

    default int twice(int n) { // expect: calls=1
      return 2 * n;
    }

    void fail() throws Exception;
  }

  private static final class Real implements Service {
    @Override
    public int serve(int n) { // expect: calls=20
      return n + 1;
    }

    @Override
    public void fail() throws Exception { // expect: calls=1
      throw new Exception("declared");
    }
  }

  private static final class Logging implements InvocationHandler {
    private final Object target;
    private final List<String> seen = new ArrayList<>();

    Logging(Object target) { // expect: calls=1
      this.target = target;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] args)
        throws Throwable { // expect: calls=24
      seen.add(method.getName()); // expect: executions=24
      if (method.getDeclaringClass() == Object.class) {
        return method.getName().equals("toString") ? "proxy" : 7; // expect: executions=2
      }
      try {
        return method.invoke(target, args); // expect: executions=22
      } catch (java.lang.reflect.InvocationTargetException e) {
        throw e.getCause(); // expect: executions=1
      }
    }
  }

  public static void main(String[] args) {
    Logging handler = new Logging(new Real());
    Service service =
        (Service)
            Proxy.newProxyInstance(
                Proxies.class.getClassLoader(), new Class<?>[] {Service.class}, handler);
    int sum = 0;
    for (int i = 0; i < 20; i++) {
      sum += service.serve(i); // expect: executions=20
    }
    sum += service.twice(50);
    System.out.println(sum + " " + service + " " + service.hashCode());
    try {
      service.fail();
    } catch (Exception e) {
      System.out.println(e.getMessage()); // expect: executions=1
    }
    System.out.println(handler.seen.size());
    Runnable thrower =
        (Runnable)
            Proxy.newProxyInstance(
                Proxies.class.getClassLoader(),
                new Class<?>[] {Runnable.class},
                (proxy, method, arguments) -> {
                  throw new Exception("undeclared"); // expect: executions=1
                });
    try {
      thrower.run();
    } catch (java.lang.reflect.UndeclaredThrowableException e) {
      System.out.println(e.getCause().getMessage()); // expect: executions=1
    }
  }
}
