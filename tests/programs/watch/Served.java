import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A server in small, for studies of overhead: requests come at a fixed rate, whether those before
 * are done or not, and are served by two threads until the program is ended. What a request calls
 * stands beside each method.
 */
final class Served {
  private static final long RATE_PER_S = 200;
  private static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(1) / RATE_PER_S;
  private static final int WORK = 400;

  private final double[] prices = new double[WORK];
  private volatile double total;

  public static void main(String[] args) throws InterruptedException {
    Served served = new Served();
    ExecutorService workers = Executors.newFixedThreadPool(2);
    long next = System.nanoTime();
    for (int request = 0; ; request++) {
      int number = request;
      workers.execute(() -> served.handle(number));
      next += PERIOD_NS;
      long rest = next - System.nanoTime();
      if (rest > 0) {
        TimeUnit.NANOSECONDS.sleep(rest);
      }
    }
  }

  /** Calls: 1 a request. */
  void handle(int request) {
    double sum = 0;
    for (int item = 0; item < 3; item++) {
      sum += price(item);
    }
    sum += depth(20);
    try {
      check(request);
    } catch (IllegalStateException e) {
      sum++;
    }
    total = sum;
  }

  /** Calls: 3 a request. */
  private double price(int item) {
    double sum = 0;
    for (int k = 0; k < WORK; k++) {
      prices[k] = Math.sqrt(k + item);
      sum += prices[k];
    }
    return sum;
  }

  /** Calls: 1 a request, since the others are inside it. */
  private int depth(int left) {
    return left == 0 ? 0 : 1 + depth(left - 1);
  }

  /** Calls: 1 a request; every fourth one throws. */
  private static void check(int request) {
    if (request % 4 == 0) {
      throw new IllegalStateException();
    }
  }
}
