package battery;

import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;

/** How deep recursions of several kinds get, on stacks of several sizes. */
public final class Depths {
  private static final int KINDS = 5;

  private static int depth;

  private Depths() {}

  private static void plain() {
    depth++;
    plain();
  }

  private static long arguments(long a, double b, Object c, int d) {
    depth++;
    return arguments(a + 1, b, c, d) + 1;
  }

  private static int locals(int n) {
    depth++;
    int a = n + 1;
    int b = a * 2;
    long c = a ^ b;
    double d = c;
    return locals(n + 1) + a + b + (int) c + (int) d;
  }

  private static synchronized int locked(int n) {
    depth++;
    try {
      return locked(n + 1);
    } finally {
      depth += 0;
    }
  }

  public static void reflected(Method self) throws Exception {
    depth++;
    self.invoke(null, self);
  }

  private static int[] depths() {
    int[] all = new int[KINDS];
    for (int kind = 0; kind < KINDS; kind++) {
      depth = 0;
      try {
        switch (kind) {
          case 0 -> plain();
          case 1 -> arguments(1, 2, "", 3);
          case 2 -> locals(0);
          case 3 -> locked(0);
          default -> {
            Method self = Depths.class.getMethod("reflected", Method.class);
            reflected(self);
          }
        }
      } catch (StackOverflowError | Exception e) {
        all[kind] = depth;
      }
    }
    return all;
  }

  private static void print(PrintStream out, String what, int[] depths) {
    out.println(what + " " + Arrays.toString(depths).replaceAll("[^0-9 ]", ""));
  }

  /** A thread of the library's own making: a virtual one, or one of a pool. */
  private static void ofLibrary(PrintStream out, String kind) throws Exception {
    int[][] found = new int[1][];
    Runnable measures = () -> found[0] = depths();
    if (kind.equals("virtual")) {
      Method starts = Thread.class.getMethod("startVirtualThread", Runnable.class);
      ((Thread) starts.invoke(null, measures)).join();
    } else {
      CompletableFuture.runAsync(measures, new ForkJoinPool(1)).get();
    }
    print(out, kind, found[0]);
  }

  private static long asked(Thread thread) throws Exception {
    Object holder = thread;
    try {
      Field field = Thread.class.getDeclaredField("holder");
      field.setAccessible(true);
      holder = field.get(thread);
    } catch (NoSuchFieldException e) {
      holder = thread;
    }
    Field size = holder.getClass().getDeclaredField("stackSize");
    size.setAccessible(true);
    return size.getLong(holder);
  }

  /**
   * Each size in KiB that is named; 0 is the VM's. Smaller ones first: stacks are used again. A word
   * is a kind of thread.
   */
  public static void main(String[] sizes) throws Exception {
    PrintStream out = System.out;
    for (String size : sizes) {
      if (!Character.isDigit(size.charAt(0))) {
        ofLibrary(out, size);
        continue;
      }
      long bytes = Long.parseLong(size) << 10;
      Thread[] made = new Thread[1];
      String[] told = {""};
      made[0] = new Thread(null, () -> {
        int[] depths = depths();
        try {
          told[0] = " of " + asked(made[0]);
        } catch (Exception e) {
          told[0] = e.toString();
        }
        print(out, "thread " + size + told[0], depths);
      }, "deep", bytes);
      out.println("asked " + asked(made[0]));
      made[0].start();
      made[0].join();
    }
    print(out, "main", depths());
  }
}
