package battery;

import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** A system class loader of the program's own, which tells what it is asked for. */
public final class OwnLoader extends ClassLoader {
  private static final Set<String> ASKED = new ConcurrentSkipListSet<>();

  public OwnLoader(ClassLoader parent) {
    super(parent);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    ASKED.add(name);
    return super.loadClass(name, resolve);
  }

  public static void main(String[] arguments) throws Exception {
    ClassLoader own = ClassLoader.getSystemClassLoader();
    System.out.println(own.getClass() + " " + own.getParent().getClass());
    for (Class<?> type = own.getClass().getSuperclass(); type != null; type = type.getSuperclass()) {
      Members.declared(System.out, type);
    }
    System.out.println(own.loadClass("battery.OwnLoader").getMethod("asked").invoke(null));
  }

  public static Set<String> asked() {
    return ASKED;
  }
}
