import java.io.IOException;
import java.io.InputStream;

/** Has loaders of its own define classes, and prints what the VM asks them for. */
public class Fresh {
  /** What the first class of a loader extends. */
  public static class Base {
    public int value() {
      return 1;
    }
  }

  /** That class. */
  public static class Plugin extends Base {
    @Override
    public int value() {
      return super.value() + 1;
    }
  }

  /** A loader that asks its parent for all but one class. */
  static class Own extends ClassLoader {
    Own() {
      super(null);
    }

    @Override
    protected Class<?> loadClass(String name, boolean isResolved) throws ClassNotFoundException {
      System.out.println("asked for " + name);
      if (!name.equals("Fresh$Plugin")) {
        return Fresh.class.getClassLoader().loadClass(name);
      }
      try (InputStream in = Fresh.class.getResourceAsStream("Fresh$Plugin.class")) {
        byte[] file = in.readAllBytes();
        return defineClass(name, file, 0, file.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  static Object made() throws ReflectiveOperationException {
    return new Own().loadClass("Fresh$Plugin").getConstructor().newInstance();
  }

  public static void main(String[] arguments) throws ReflectiveOperationException {
    System.out.println(((Base) made()).value());
  }
}
