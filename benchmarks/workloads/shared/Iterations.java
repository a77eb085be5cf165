import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;

/**
 * Runs a workload's iteration as often as asked. The result goes to standard output once and must
 * be the same each time; {@code ITER <ms> <ms>} goes to standard error after each iteration: what
 * the clock says, and the processor time of the thread, which other programs of a busy machine do
 * not stretch.
 */
final class Iterations {
  private Iterations() {}

  /** Runs {@code work} {@code args[1]} times (once if absent; an only iteration is not timed). */
  static void run(String[] args, Callable<String> work) throws Exception {
    int iterations = args.length > 1 ? Integer.parseInt(args[1]) : 1;
    String expected = null;
    for (int i = 0; i < iterations; i++) {
      long busy = iterations > 1 ? processorNanos() : 0;
      long start = System.nanoTime();
      String result = work.call();
      long nanos = System.nanoTime() - start;
      if (expected == null) {
        expected = result;
        System.out.println(result);
      } else if (!expected.equals(result)) {
        throw new IllegalStateException("iteration " + i + " gave " + result);
      }
      if (iterations > 1) {
        busy = processorNanos() - busy;
        System.err.println(String.format(Locale.ROOT, "ITER %.3f %.3f", nanos / 1e6, busy / 1e6));
      }
    }
  }

  private static long processorNanos() throws IOException {
    String text = Files.readString(Path.of("/proc/thread-self/schedstat"));
    return Long.parseLong(text.substring(0, text.indexOf(' ')));
  }

  static int size(String[] args) {
    return Integer.parseInt(args[0]);
  }

  /** Extends a running hash of text that must not change from run to run. */
  static int mix(int hash, Object part) {
    return 31 * hash + part.toString().hashCode();
  }
}
