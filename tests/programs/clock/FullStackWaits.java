/**
 * Waits and notifications at every distance from the end of a stack; whatever overflows there,
 * others can wait and notify afterwards.
 */
public class FullStackWaits {
  interface Act { void run() throws Exception; }

  static final Object monitor = new Object();
  static volatile boolean isOver;
  static int depth;
  static int limit;
  static int overflows;

  static void down(Act act) throws Exception {
    depth++;
    if (depth == limit) {
      act.run();
    } else {
      down(act);
    }
  }

  /** Frames of other sizes before, so that the end of the stack comes at other places of a method. */
  static void after(int n, Act act, long a, long b, long c) throws Exception {
    if (n == 0) {
      down(act);
    } else {
      after(n - 1, act, a + 1, b, c);
    }
  }

  static int deepest(int n, Act act) {
    depth = 0;
    limit = -1;
    try {
      after(n, act, 1, 2, 3);
    } catch (StackOverflowError e) {
      return depth;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    return 0;
  }

  /** Acts from the end of the stack upwards, one frame after the other. */
  static void atEveryDistance(int n, Act act) {
    int deepest = Math.min(deepest(n, act), deepest(n, act));
    for (int k = 0; k < 60; k++) {
      depth = 0;
      limit = deepest - k;
      try {
        after(n, act, 1, 2, 3);
      } catch (StackOverflowError e) {
        overflows++;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  static void in(Act act) throws Exception {
    for (int n = 0; n < 8; n++) {
      int first = n;
      Thread t = new Thread(null, () -> atEveryDistance(first, act), "full" + n, 256 << 10);
      t.start();
      t.join();
    }
  }

  static void check(String name, Act act) throws Exception {
    act.run();
    System.out.println(name);
  }

  public static void main(String[] args) throws Exception {
    Thread always = new Thread(() -> {
      synchronized (monitor) {
        while (!isOver) {
          try {
            monitor.wait();
          } catch (InterruptedException e) {
            System.out.println("interrupted");
          }
        }
      }
    });
    always.start();
    while (always.getState() != Thread.State.WAITING) {
      Thread.yield();
    }
    check("notify", () -> in(() -> { synchronized (monitor) { monitor.notify(); } }));
    check("notifyAll", () -> in(() -> { synchronized (monitor) { monitor.notifyAll(); } }));
    check("wait", () -> in(() -> { synchronized (monitor) { monitor.wait(0, 1); } }));
    check("overflows: " + (overflows > 100), () -> { });
    check("others wait", () -> { synchronized (monitor) { monitor.wait(1); } });
    isOver = true;
    synchronized (monitor) {
      monitor.notifyAll();
    }
    always.join();
    check("others notify", () -> { });
  }
}
