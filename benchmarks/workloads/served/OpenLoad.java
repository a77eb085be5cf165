import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An open workload: requests come at a fixed rate, whether those before are done or not, until the
 * program is ended. A request that finds a thousand others waiting is dropped, and so is told.
 */
final class OpenLoad {
  private static final int WAITING = 1_000;
  private static final int THREADS = 4;

  private final AtomicLong nDropped = new AtomicLong();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(WAITING),
          (request, pool) -> nDropped.incrementAndGet());

  /** A request, by its number. */
  interface Request {
    void send(long number) throws Exception;
  }

  /** Sends requests for ever. */
  static void run(int perSecond, Request request) throws InterruptedException {
    new OpenLoad().send(perSecond, request);
  }

  private void send(int perSecond, Request request) throws InterruptedException {
    long period = TimeUnit.SECONDS.toNanos(1) / perSecond;
    long next = System.nanoTime();
    for (long number = 0; ; number++) {
      long sent = number;
      threads.execute(() -> sendOne(request, sent));
      next += period;
      long rest = next - System.nanoTime();
      if (rest > 0) {
        TimeUnit.NANOSECONDS.sleep(rest);
      }
      if (number % (10L * perSecond) == 0) {
        System.out.println("sent " + number + ", dropped " + nDropped.get());
      }
    }
  }

  private static void sendOne(Request request, long number) {
    try {
      request.send(number);
    } catch (Exception e) {
      throw new IllegalStateException("request " + number, e);
    }
  }
}
