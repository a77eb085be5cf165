package battery;

import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.TreeSet;

/** What is kept for a thread before the program keeps anything, and after its classes came. */
public final class Locals {
  private Locals() {}

  static final class Fresh {
    int made = 1;
  }

  public static void main(String[] arguments) throws Exception {
    System.out.println("main" + kept());
    System.out.println("of a new class" + new Fresh().made + kept());
    Thread other =
        new Thread(
            () -> {
              try {
                System.out.println("other" + new Object() {}.getClass().getName() + kept());
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    other.start();
    other.join();
  }

  private static String kept() throws Exception {
    Thread thread = Thread.currentThread();
    StringBuilder found = new StringBuilder();
    for (String name : new String[] {"threadLocals", "inheritableThreadLocals"}) {
      Field field = Thread.class.getDeclaredField(name);
      field.setAccessible(true);
      found.append(' ').append(names(field.get(thread)));
    }
    for (Method method : Thread.class.getDeclaredMethods()) {
      if (method.getName().equals("terminatingThreadLocals")) {
        method.setAccessible(true);
        found.append(' ').append(names(method.invoke(thread)));
      }
    }
    return found.toString();
  }

  private static Object names(Object map) throws Exception {
    if (map == null) {
      return "none";
    }
    Field table = map.getClass().getDeclaredField("table");
    table.setAccessible(true);
    TreeSet<String> names = new TreeSet<>();
    for (Object entry : (Object[]) table.get(map)) {
      Object key = entry == null ? null : ((Reference<?>) entry).get();
      if (key != null) {
        names.add(key.getClass().getName());
      }
    }
    return names;
  }
}
