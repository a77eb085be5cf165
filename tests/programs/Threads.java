import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that are joined: counts of each thread, and of all together, are deterministic. */
public final class Threads {
  private static final AtomicInteger TOTAL = new AtomicInteger();

  private static final class Worker extends Thread {
    private final int rounds;
    private int sum;

    Worker(String name, int rounds) { // expect: calls=4
      super(name);
      this.rounds = rounds;
    }

    @Override
    public void run() { // expect: calls=4
      for (int i = 0; i < rounds; i++) {
        sum += step(i); // expect: executions=100
      }
      TOTAL.addAndGet(sum); // expect: executions=4
    }

    private int step(int i) { // expect: calls=100
      return i % 3 == 0 ? twice(i) : i;
    }
  }

  private static int twice(int i) { // expect: calls=41
    return 2 * i;
  }

  private static void inTurn() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      Thread t = new Thread(Threads::body, "in turn " + i); // expect: executions=3
      t.start();
      t.join();
    }
  }

  private static void body() { // expect: calls=3
    TOTAL.addAndGet(twice(100)); // expect: executions=3
  }

  private static void failing() throws InterruptedException {
    Thread t = new Thread(() -> twice(1 / (TOTAL.get() - TOTAL.get())), "failing");
    t.setUncaughtExceptionHandler(
        (thread, e) -> {
          System.out.println(thread.getName() + " " + e.getMessage()); // expect: executions=1
          twice(1);
        });
    t.start();
    t.join();
  }

  private static void nested(int depth) throws InterruptedException { // expect: calls=4
    if (depth == 0) {
      TOTAL.addAndGet(twice(7)); // expect: executions=1
      return;
    }
    Thread t =
        new Thread(
            () -> {
              try {
                nested(depth - 1); // expect: executions=3
              } catch (InterruptedException e) {
                throw new IllegalStateException(e); // expect: executions=0
              }
            },
            "nested " + depth);
    t.start();
    t.join();
  }

  public static void main(String[] args) throws InterruptedException {
    List<Worker> workers = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      workers.add(new Worker("worker " + i, i * 10)); // expect: executions=4
    }
    for (Worker w : workers) {
      w.start();
    }
    for (Worker w : workers) {
      w.join();
    }
    inTurn();
    failing();
    nested(3);
    Thread local = new Thread("sub");
    local.run();
    ThreadLocal<Integer> value = ThreadLocal.withInitial(() -> twice(21));
    System.out.println(TOTAL.get() + value.get());
  }
}
