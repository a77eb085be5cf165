import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.CountDownLatch;

/** Fills its heap, lets threads call a method that needs nothing of it, and gives it back. */
public final class Full {
  static final int CALLS = 1_000;
  static final int THREADS = 20;
  static final Object[] VALUES = {"text", new String("text"), null, 1, "other"};
  static volatile int sink;

  private Full() {}

  public static void main(String[] arguments) throws Exception {
    CountDownLatch isFull = new CountDownLatch(1);
    CountDownLatch areDone = new CountDownLatch(THREADS);
    boolean[] hasThrown = new boolean[THREADS];
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      new Thread(() -> call(isFull, areDone, hasThrown, number)).start();
    }
    Scanner input = new Scanner(System.in);
    System.out.println("ready");
    input.nextLine();
    for (int i = 0; i < CALLS; i++) {
      sink = called(i);
      sink = compared(VALUES[i % VALUES.length], i);
    }
    System.out.println("called");
    input.nextLine();
    fill(isFull, areDone);
    int n = 0;
    for (boolean each : hasThrown) {
      n += each ? 1 : 0;
    }
    System.out.println(n);
    input.nextLine();
    sink = called(1);
    System.out.println("done");
    input.nextLine();
  }

  static void call(CountDownLatch isFull, CountDownLatch areDone, boolean[] thrown, int number) {
    try {
      isFull.await();
      for (int i = 0; i < CALLS; i++) {
        sink = full(i);
      }
    } catch (Throwable e) {
      thrown[number] = true;
    }
    areDone.countDown();
  }

  static void fill(CountDownLatch isFull, CountDownLatch areDone) {
    List<byte[]> kept = new ArrayList<>(1 << 20);
    for (int size = 1 << 16; size > 0; size >>= 4) {
      try {
        while (true) {
          kept.add(new byte[size]);
        }
      } catch (OutOfMemoryError e) {
        continue; // with less
      }
    }
    isFull.countDown();
    while (areDone.getCount() > 0) { // to await it needs room
      sink++;
    }
    long ends = System.nanoTime() + 2_000_000_000L; // for whoever looks at what was counted
    while (System.nanoTime() < ends) {
      sink++;
    }
    kept.clear();
  }

  static int called(int i) {
    return i;
  }

  static int full(int i) {
    return i;
  }

  static int compared(Object value, Integer number) {
    return 0;
  }
}
