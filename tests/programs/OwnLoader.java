import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** A class loader of the program's own: the VM calls it in the middle of any instruction. */
public final class OwnLoader extends ClassLoader {
  private final List<String> asked = new ArrayList<>();

  private OwnLoader(ClassLoader parent) { // expect: calls=2
    super(parent);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("OwnLoader$Payload")) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : findClass(name);
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException { // expect: calls=15
    asked.add(name.substring(10));
    if (name.endsWith("Missing")) {
      throw new ClassNotFoundException(name); // expect: executions=1
    }
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      byte[] bytes = in.readAllBytes(); // expect: executions=14
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e); // expect: executions=0
    }
  }

  /** Each line makes the VM load another class, by another instruction. */
  public static final class Payload implements Runnable {
    private static int runs;

    @Override
    public void run() { // expect: calls=2
      runs++;
      Object o = new PayloadNew(); // expect: executions=2
      int sum = PayloadField.value; // expect: executions=2
      sum += PayloadStatic.twice(4); // expect: executions=2
      Class<?> literal = PayloadLiteral.class; // expect: executions=2
      if (o instanceof PayloadTest) {
        sum += 1000; // expect: executions=0
      }
      Object[] array = new PayloadArray[sum]; // expect: executions=2
      try {
        sum += Stranger.load(); // expect: executions=2
      } catch (IllegalAccessError e) {
        sum += 1; // expect: executions=2
      }
      System.out.println(sum + " " + array.length + " " + literal.getName());
    }
  }

  /** Loaded by the parent: another run-time package, so not accessible to the payload. */
  static final class Stranger {
    static int load() {
      return 1; // expect: executions=0
    }
  }

  /** Loaded by new. */
  public static final class PayloadNew {
    private static int runs;

    static {
      runs++; // expect: executions=2
    }
  }

  /** Loaded by getstatic. */
  public static final class PayloadField {
    static int value = new int[] {3}[0]; // expect: executions=2
  }

  /** Loaded by invokestatic. */
  public static final class PayloadStatic {
    static int twice(int n) { // expect: calls=2
      return 2 * n;
    }
  }

  /** Loaded by ldc. */
  public static final class PayloadLiteral {}

  /** Loaded by instanceof. */
  public static final class PayloadTest {}

  /** Loaded by anewarray. */
  public static final class PayloadArray {}

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 2; i++) {
      OwnLoader loader = new OwnLoader(OwnLoader.class.getClassLoader());
      Class<?> payload = Class.forName("OwnLoader$Payload", true, loader);
      ((Runnable) payload.getDeclaredConstructor().newInstance()).run();
      System.out.println(loader.asked + " " + (payload != Payload.class));
      if (i == 0) {
        try {
          Class.forName("OwnLoader$PayloadMissing", true, loader);
        } catch (ClassNotFoundException e) {
          System.out.println(e.getMessage()); // expect: executions=1
        }
      }
    }
  }
}
