/** Calls whose numbers are known, in several threads and in more contexts than 1 MiB has room for. */
public class Meetings {
  static final class Box {
    final int value;

    Box(int value) {
      this.value = value;
    }

    synchronized int get() {
      return value;
    }
  }

  static int left(int n) {
    return n == 0 ? value(new Box(1)) : left(n - 1) + right(n - 1);
  }

  static int right(int n) {
    return n == 0 ? value(new Box(2)) : left(n - 1) + right(n - 1);
  }

  static int value(Box box) {
    return box.get() + box.hashCode() * 0;
  }

  static void work() {
    for (int k = 0; k < 5; k++) {
      left(3);
    }
  }

  static Thread launch(boolean isVirtual) throws Exception {
    if (isVirtual) {
      return (Thread)
          Thread.class
              .getMethod("startVirtualThread", Runnable.class)
              .invoke(null, (Runnable) Meetings::work);
    }
    Thread thread = new Thread(Meetings::work);
    thread.start();
    return thread;
  }

  public static void main(String[] args) throws Exception {
    int sum = left(Integer.parseInt(args[0]));
    Thread[] threads = new Thread[4];
    for (int k = 0; k < threads.length; k++) {
      threads[k] = launch(args[1].equals("virtual") && k % 2 == 1);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(sum);
    if (args[2].equals("halt")) {
      Runtime.getRuntime().halt(3);
    }
  }
}
