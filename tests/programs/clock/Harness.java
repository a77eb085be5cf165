import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A benchmark harness as people write them: warm-up, iterations, and every time printed. */
public class Harness {
  interface Work {
    long run(int n);
  }

  static final Map<String, Work> ALL = new LinkedHashMap<>();

  static long sort(int n) {
    int[] a = new int[n];
    long seed = 42;
    for (int i = 0; i < n; i++) {
      seed = seed * 6364136223846793005L + 1;
      a[i] = (int) (seed >> 33);
    }
    Arrays.sort(a);
    return a[n / 2];
  }

  static long count(int n) {
    Map<String, Integer> counts = new HashMap<>();
    for (int i = 0; i < n; i++) {
      counts.merge("k" + i % 97, i, Integer::sum);
    }
    return counts.get("k5");
  }

  static long text(int n) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < n; i++) {
      text.append(i).append(',');
    }
    return text.toString().hashCode();
  }

  public static void main(String[] args) throws InterruptedException {
    ALL.put("sort", Harness::sort);
    ALL.put("count", Harness::count);
    ALL.put("text", Harness::text);
    System.out.printf("%tF %<tT.%<tL%n", new Date());
    for (var each : ALL.entrySet()) {
      each.getValue().run(300);
      double[] times = new double[4];
      long result = 0;
      for (int i = 0; i < times.length; i++) {
        long begin = System.nanoTime();
        result += each.getValue().run(500 * (i + 1));
        times[i] = (System.nanoTime() - begin) / 1e3;
        Thread.sleep(1);
      }
      double mean = Arrays.stream(times).average().orElse(0);
      double squares = Arrays.stream(times).map(x -> (x - mean) * (x - mean)).sum();
      double error = 1.96 * Math.sqrt(squares / (times.length - 1) / times.length);
      String form = "%-6s %12.3f ± %9.3f us/op (%d)%n";
      System.out.printf(Locale.ROOT, form, each.getKey(), mean, error, result);
    }
    long end = System.currentTimeMillis() + 2; // and until a time, as others do
    int n = 0;
    while (System.currentTimeMillis() < end) {
      n += sort(100) > 0 ? 1 : 2;
    }
    System.out.println("===== passed in " + n + " rounds, " + Instant.now() + " =====");
  }
}
