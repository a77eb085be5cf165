/** What the rules of Byteman call: a count and a sum for the only thread that is measured. */
public final class Timed {
  private static final ThreadLocal<long[]> STARTS = ThreadLocal.withInitial(() -> new long[1]);
  private static long calls;
  private static long total;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.err.println("calls " + calls)));
  }

  private Timed() {}

  public static void begin() {
    STARTS.get()[0] = System.nanoTime();
  }

  public static void end() {
    total += System.nanoTime() - STARTS.get()[0];
    calls++;
  }
}
