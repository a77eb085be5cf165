package battery;

import java.io.InputStream;

/** Classes that come where the stack is nearly full, at every distance from its end. */
public final class FullStack {
  private static final int STACK = 256 << 10;

  private static Loader[] loaders;
  private static Class<?>[] made;
  private static byte[] file;
  private static int depth;
  private static int limit;

  private FullStack() {}

  /** What each loader defines. */
  public static final class Late {
    public static int twice(int n) {
      return 2 * n;
    }
  }

  private static final class Loader extends ClassLoader {
    Class<?> define() {
      return defineClass("battery.FullStack$Late", file, 0, file.length);
    }
  }

  private interface Act {
    void on(int loader);
  }

  private static void down(Act act, int loader) {
    depth++;
    if (depth == limit) {
      act.on(loader);
    } else {
      down(act, loader);
    }
  }

  /** Acts with each loader, from the end of the stack upwards; near the end the stack overflows. */
  private static void atEveryDistance(Act act) throws InterruptedException {
    Thread thread = new Thread(null, () -> {
      int deepest = Math.min(deepest(act), deepest(act));
      for (int k = 0; k < loaders.length; k++) {
        depth = 0;
        limit = deepest - (k < 80 ? 2 * k : 160 + 10 * (k - 80));
        try {
          down(act, k);
        } catch (StackOverflowError e) {
          made[k] = null;
        }
      }
    }, "full", STACK);
    thread.start();
    thread.join();
  }

  private static int deepest(Act act) {
    depth = 0;
    limit = -1;
    try {
      down(act, 0);
    } catch (StackOverflowError e) {
      return depth;
    }
    return 0;
  }

  public static void main(String[] words) throws Exception {
    System.out.println(define());
  }

  /** Defines the class where it can, calls it, and says how often. */
  private static int define() throws Exception {
    try (InputStream in = FullStack.class.getResourceAsStream("FullStack$Late.class")) {
      file = in.readAllBytes();
    }
    loaders = new Loader[150];
    made = new Class<?>[loaders.length];
    for (int k = 0; k < loaders.length; k++) {
      loaders[k] = new Loader();
    }
    atEveryDistance(loader -> made[loader] = loaders[loader].define());
    int defined = 0;
    for (Class<?> each : made) {
      if (each != null) {
        each.getMethod("twice", int.class).invoke(null, 21);
        defined++;
      }
    }
    return defined;
  }
}
