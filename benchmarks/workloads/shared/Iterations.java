import java.util.Locale;
import java.util.concurrent.Callable;

/**
 * Runs a workload's iteration as often as asked. The result goes to standard output once and must
 * be the same each time; {@code ITER <ms>} goes to standard error after each iteration.
 */
final class Iterations {
  private Iterations() {}

  /** Runs {@code work} {@code args[1]} times (once if absent; an only iteration is not timed). */
  static void run(String[] args, Callable<String> work) throws Exception {
    int iterations = args.length > 1 ? Integer.parseInt(args[1]) : 1;
    String expected = null;
    for (int i = 0; i < iterations; i++) {
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
        System.err.println(String.format(Locale.ROOT, "ITER %.3f", nanos / 1e6));
      }
    }
  }

  static int size(String[] args) {
    return Integer.parseInt(args[0]);
  }

  /** Extends a running hash of text that must not change from run to run. */
  static int mix(int hash, Object part) {
    return 31 * hash + part.toString().hashCode();
  }
}
