import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** Virtual threads, joined: each has its own tree, whichever carrier runs it. */
public final class VirtualThreads {
  private static final AtomicInteger TOTAL = new AtomicInteger();
  private static final ReentrantLock LOCK = new ReentrantLock();

  private static int work(int n) { // expect: calls=60
    if (n == 0) {
      Thread.yield(); // expect: executions=10
      return 1;
    }
    return n + work(n - 1); // expect: executions=50
  }

  private static void locked() { // expect: calls=10
    LOCK.lock();
    try {
      TOTAL.addAndGet(1); // expect: executions=10
    } finally {
      LOCK.unlock();
    }
  }

  public static void main(String[] args) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      threads.add(
          Thread.ofVirtual()
              .name("virtual " + i)
              .start(
                  () -> {
                    TOTAL.addAndGet(work(5)); // expect: executions=10
                    locked();
                  }));
    }
    for (Thread t : threads) {
      t.join(); // expect: executions=10
    }
    Thread thrower =
        Thread.ofVirtual()
            .name("thrower")
            .unstarted(
                () -> {
                  throw new IllegalStateException("in a virtual thread"); // expect: executions=1
                });
    thrower.setUncaughtExceptionHandler((t, e) -> System.out.println(t.getName() + e.getMessage()));
    thrower.start();
    thrower.join();
    System.out.println(TOTAL.get());
  }
}
