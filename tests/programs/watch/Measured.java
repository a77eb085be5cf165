import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;

/** Calls its methods known numbers of times when a line with the name of an act comes in. */
class Measured {
  static final int CALLS = 1_000;
  static final int MANY = 5_000_000;
  static final int DEPTH = 10;
  static final int THREADS = 4;
  static final int LOADERS = 3;
  int size;
  static long sum;

  Measured(int size) {
    this(size, size % 2 == 0 ? "even" : "odd");
  }

  Measured(int size, String name) {
    super();
    this.size = size;
    if (name.isEmpty()) {
      throw new IllegalArgumentException(name);
    }
  }

  public static void main(String[] arguments) throws Exception {
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    System.out.println("ready");
    String act;
    while ((act = input.readLine()) != null) {
      act(act);
      System.out.println("done");
    }
  }

  static void act(String name) throws Exception {
    switch (name) {
      case "calls" -> calls();
      case "threads" -> threads(Executors.defaultThreadFactory());
      case "virtual" -> threads(virtual());
      case "load" -> Class.forName("Measured$Later").getMethod("act").invoke(null);
      case "unload" -> unload();
      case "many" -> many();
      case "lying" -> lying();
      case "busy" -> Busy.act();
      default -> throw new IllegalArgumentException(name);
    }
  }

  /** Each method with its own number of calls. */
  static void calls() {
    Kept kept = new Kept();
    for (int i = 0; i < CALLS; i++) {
      plain(i);
      first(i);
      if (i % 10 == 0) {
        second(i);
      }
      recursive(DEPTH);
      try {
        failing(i);
      } catch (IllegalStateException e) {
        sum++;
      }
      text(i % 4 == 0 ? null : "x".repeat(i % 64));
      new Measured(i).field(i);
      branches(i, i / 2.0, new int[i % 5]);
      kept.keep(i);
      new Derived(i).step(i);
    }
  }

  static void many() {
    for (int i = 0; i < MANY; i++) {
      plain(i);
    }
  }

  static int plain(int i) {
    sum += i;
    return i;
  }

  static void first(int i) {
    shared(i);
  }

  static void second(int i) {
    shared(i);
  }

  static void shared(int i) {
    sum += i;
  }

  static int recursive(int depth) {
    return depth == 0 ? 0 : 1 + recursive(depth - 1);
  }

  /** Every fourth call throws. */
  static int failing(int i) {
    if (i % 4 == 0) {
      throw new IllegalStateException();
    }
    return i;
  }

  static int text(String key) {
    return key == null ? 0 : key.length();
  }

  synchronized int field(int i) {
    return size + i;
  }

  /** Has loops, handlers and returns of all kinds of flow. */
  static double branches(int i, double half, int[] values) {
    while (true) {
      try {
        if (i % 3 == 0) {
          return values[values.length - 1] + half;
        }
        long more = i;
        for (int value : values) {
          more += value;
        }
        if (more > 10) {
          return more;
        }
        break;
      } catch (ArrayIndexOutOfBoundsException e) {
        return -half;
      } finally {
        sum++;
      }
    }
    return half;
  }

  static void threads(ThreadFactory factory) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS, factory);
    List<Future<?>> all = new ArrayList<>();
    for (int k = 0; k < THREADS; k++) {
      all.add(
          pool.submit(
              () -> {
                for (int i = 0; i < CALLS; i++) {
                  plain(i);
                  recursive(DEPTH);
                }
              }));
    }
    for (Future<?> each : all) {
      each.get();
    }
    pool.shutdown();
  }

  /** Threads that the VM schedules, where it has these. */
  static ThreadFactory virtual() throws ReflectiveOperationException {
    Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
    Class<?> type = Class.forName("java.lang.Thread$Builder");
    return (ThreadFactory) type.getMethod("factory").invoke(builder);
  }

  /** Loads one class several times, by loaders that nothing refers to afterwards. */
  static void unload() throws Exception {
    byte[] file;
    try (InputStream in = Measured.class.getResourceAsStream("Measured$Unloaded.class")) {
      file = in.readAllBytes();
    }
    for (int k = 0; k < LOADERS; k++) {
      new Loader().define(file).getMethod("act").invoke(null);
    }
  }

  interface Limited {
    int LIMIT = 7;
  }

  /** Has fields of superclasses in another package: one protected, others not for it. */
  static final class Kept extends ArrayList<Integer> implements Limited {
    private static final long serialVersionUID = 1;

    void keep(int i) {
      add(i);
    }
  }

  static class Base {
    protected final int above;
    private final int hidden;

    Base(int n) {
      above = n;
      hidden = n;
    }

    int sum() {
      return above + hidden;
    }
  }

  public static final class Derived extends Base {
    Derived(int n) {
      super(n);
    }

    public static void act() {
      for (int i = 0; i < CALLS; i++) {
        new Derived(i).step(i);
      }
    }

    int step(int i) {
      return i;
    }
  }

  /** Makes another class of a file than what it gives as the file: a field has another name. */
  static void lying() throws Exception {
    Loader loader =
        new Loader() {
          @Override
          public InputStream getResourceAsStream(String name) {
            return Measured.class.getResourceAsStream("/" + name);
          }
        };
    for (String name : List.of("Measured$Base", "Measured$Derived")) {
      byte[] file;
      try (InputStream in = Measured.class.getResourceAsStream(name + ".class")) {
        file = in.readAllBytes();
      }
      String text = new String(file, StandardCharsets.ISO_8859_1).replace("above", "below");
      Class<?> type = loader.define(text.getBytes(StandardCharsets.ISO_8859_1));
      if (name.endsWith("Derived")) {
        type.getMethod("act").invoke(null);
      }
    }
  }

  static class Loader extends ClassLoader {
    Loader() {
      super(null);
    }

    Class<?> define(byte[] file) {
      return defineClass(null, file, 0, file.length);
    }
  }

  public static final class Unloaded {
    public static void act() {
      for (int i = 0; i < 1_000; i++) {
        step(i);
      }
    }

    static int step(int i) {
      return i + 1;
    }
  }

  static final class Later {
    public static void act() {
      for (int i = 0; i < CALLS; i++) {
        plain(i);
        step(i);
      }
    }

    static void step(int i) {
      sum += i;
    }
  }
}
