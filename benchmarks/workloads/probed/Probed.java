import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;

/** Says how long a call of a small method takes, in nanoseconds of processor time. */
final class Probed {
  private static final int CALLS = 300_000;
  private static final int ROUNDS = 6;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static int[] values = new int[64];
  private static long nanoseconds;

  private Probed() {}

  public static void main(String[] arguments) throws Exception {
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    String act;
    while ((act = input.readLine()) != null) {
      double best = Double.MAX_VALUE;
      for (int k = 0; k < ROUNDS; k++) {
        long start = THREADS.getCurrentThreadCpuTime();
        if (act.equals("plain")) {
          callPlain();
        } else if (act.equals("paced")) {
          callPaced();
        } else {
          callTimed();
        }
        best = Math.min(best, (THREADS.getCurrentThreadCpuTime() - start) / (double) CALLS);
      }
      System.out.println(best);
    }
  }

  private static void callPlain() {
    for (int i = 0; i < CALLS; i++) {
      plain(i);
    }
  }

  /** Calls a million times a second: a thousand times in each millisecond. */
  private static void callPaced() {
    long next = System.nanoTime();
    for (int i = 0; i < CALLS; i++) {
      if (i % 1_000 == 0) {
        next += 1_000_000;
        while (System.nanoTime() < next) {
          LockSupport.parkNanos(next - System.nanoTime());
        }
      }
      plain(i);
    }
  }

  private static void callTimed() {
    for (int i = 0; i < CALLS; i++) {
      timed(i);
    }
  }

  static void plain(int n) {
    values[n & 63] += n;
  }

  static void timed(int n) {
    long start = System.nanoTime();
    values[n & 63] += n;
    nanoseconds += System.nanoTime() - start;
  }
}
