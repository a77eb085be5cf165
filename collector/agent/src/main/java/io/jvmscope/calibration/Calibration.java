package io.jvmscope.calibration;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToLongFunction;

/**
 * Measures what calls and objects cost in this VM, whose options decide about the form in which the
 * code runs: interpreted, or compiled up to a tier.
 *
 * <p>Prints a line for each cost: what, of which kind, and nanoseconds of processor time. A cost is
 * the difference of two loops, of which one has the call or the creation, and the other one what is
 * left without it.
 */
public final class Calibration {
  private static final int WARM_UP = 1_500;
  private static final int PAIRS = 31;
  private static final long BATCH_NS = 200_000;
  private static final int ITERATIONS = 1_000;
  private static final boolean IS_INTERPRETED =
      System.getProperty("java.vm.info", "").contains("interpreted");
  private static volatile long found;

  private Calibration() {}

  /**
   * Measures calls, and the rest unless an argument is {@code calls}. With {@code bound} a call
   * with one class of receivers has no other class that it could be of.
   */
  public static void main(String[] arguments) {
    List<String> words = List.of(arguments);
    calls(words.contains("bound"));
    if (!words.contains("calls")) {
      report("work", "loop", work());
      creations();
    }
  }

  private static void calls(boolean isBound) {
    Calls calls = new Calls();
    if (!isBound) {
      calls.load();
    }
    report("call", "static", cost(calls::ofStatic, calls::bare, ITERATIONS));
    report("call", "special", cost(calls.special::ofSpecial, calls.special::bare, ITERATIONS));
    report("call", "virtual_1", cost(calls::ofVirtual1, calls::bare, ITERATIONS));
    report("call", "interface_1", cost(calls::ofInterface1, calls::bare, ITERATIONS));
    calls.load();
    report("call", "virtual_2", cost(calls::ofVirtual2, calls::bare, ITERATIONS));
    report("call", "virtual_3", cost(calls::ofVirtual3, calls::bare, ITERATIONS));
    report("call", "interface_2", cost(calls::ofInterface2, calls::bare, ITERATIONS));
    report("call", "interface_3", cost(calls::ofInterface3, calls::bare, ITERATIONS));
  }

  private static void creations() {
    Creations creations = new Creations();
    report("object", "16", cost(creations::of16, creations::bare, ITERATIONS));
    report("object", "24", cost(creations::of24, creations::bare, ITERATIONS));
    report("object", "32", cost(creations::of32, creations::bare, ITERATIONS));
    report("object", "64", cost(creations::of64, creations::bare, ITERATIONS));
    report("object", "128", cost(creations::of128, creations::bare, ITERATIONS));
    for (int size : Creations.ARRAY_BYTES) {
      creations.length = size - Creations.ARRAY_HEADER;
      int iterations = Math.max(100, Math.min(ITERATIONS, 100_000 / size));
      double cost = cost(creations::ofArray, creations::store, iterations);
      report("array", Integer.toString(size), cost);
    }
  }

  /**
   * Returns how much more processor time an iteration of a loop takes than one of another: the
   * median of differences of neighbours, so that a slow moment of the machine is in both.
   */
  private static double cost(IntToLongFunction loop, IntToLongFunction bare, int iterations) {
    warmUp(loop, iterations);
    warmUp(bare, iterations);
    double[] differences = new double[PAIRS];
    for (int pair = 0; pair < PAIRS; pair++) {
      double with = time(loop, iterations);
      differences[pair] = with - time(bare, iterations);
    }
    return median(differences);
  }

  private static double work() {
    warmUp(Work::loop, ITERATIONS);
    double[] times = new double[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
      times[i] = time(Work::loop, ITERATIONS);
    }
    return median(times);
  }

  private static void warmUp(IntToLongFunction loop, int iterations) {
    long sum = 0;
    for (int i = 0; i < (IS_INTERPRETED ? 2 : WARM_UP); i++) {
      sum += loop.applyAsLong(iterations);
    }
    found = sum;
  }

  /** Returns the processor time of an iteration, in a batch that is short beside a time slice. */
  private static double time(IntToLongFunction loop, int iterations) {
    long sum = 0;
    long repeats = 0;
    long before = Clock.processorNs();
    long after;
    do {
      sum += loop.applyAsLong(iterations);
      repeats++;
      after = Clock.processorNs();
    } while (after - before < BATCH_NS);
    found = sum;
    return (double) (after - before) / (repeats * iterations);
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  private static void report(String what, String kind, double ns) {
    System.out.printf(Locale.ROOT, "%s %s %.6f%n", what, kind, ns);
  }
}
