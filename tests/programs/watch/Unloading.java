import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;

/** For each line that comes in, calls a method of a class that is then unloaded, until it is hot. */
final class Unloading {
  static final int COLLECTIONS = 3;
  static final int CALLS = 60_000;
  static long sum;

  private Unloading() {}

  public static void main(String[] arguments) throws Exception {
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    System.out.println("ready");
    while (input.readLine() != null) {
      act();
      for (int i = 0; i < COLLECTIONS; i++) {
        System.gc();
      }
      System.out.println("done");
    }
  }

  static void act() throws Exception {
    Class<?> passing = new PassingLoader().loadClass("Unloading$Passing");
    Runnable called = (Runnable) passing.getDeclaredConstructor().newInstance();
    for (int i = 0; i < CALLS; i++) {
      sum += hot(called);
    }
  }

  static int hot(Runnable called) {
    called.run();
    int found = 0;
    for (int i = 0; i < 50; i++) {
      found = found * 31 + i;
    }
    return found;
  }

  /** The class that is called; each loader defines its own. */
  public static final class Passing implements Runnable {
    int calls;

    public Passing() {}

    @Override
    public void run() {
      calls++;
    }
  }

  /** Defines that class, and leaves all others to its parent. */
  static final class PassingLoader extends ClassLoader {
    PassingLoader() {
      super(Unloading.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.equals("Unloading$Passing")) {
        return super.loadClass(name, resolve);
      }
      try (InputStream file = getResourceAsStream("Unloading$Passing.class")) {
        byte[] content = file.readAllBytes();
        return defineClass(name, content, 0, content.length);
      } catch (IOException cause) {
        throw new ClassNotFoundException(name, cause);
      }
    }
  }
}
