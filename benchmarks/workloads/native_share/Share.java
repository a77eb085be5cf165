/**
 * Threads that loop for known times in bytecode and in native code, for benchmarks.native_share.
 *
 * <p>Each thread works half of its time in calls so long that it can measure them by itself, and
 * the other half in pieces of the length that is tested. As both do the same loops, the times of
 * the pieces are known from the measured calls. The thread's processor time is read where the
 * system ends the thread.
 */
public final class Share {
  private static final long MEASURED_NS = 2_000_000;
  private static final long WARM_UP = 100_000_000;

  private static long threadNs;
  private static long iterationsPerMs;
  private static long sink;

  private enum How {
    /** Bytecode calls a native method for each piece. */
    CALLS,
    /** A native method calls Java by JNI for each piece. */
    JNI,
    /** As CALLS, and in each round the thread sleeps in a native method. */
    WAITS
  }

  /** A thread: the length of its native pieces, and which share of its time is native. */
  private record Case(int index, String name, long pieceNs, double share, How how) {
    Thread start() {
      Thread thread = new Thread(this::run, name);
      thread.start();
      return thread;
    }

    private void run() {
      begin(index);
      long measuredNs = Math.max(pieceNs, MEASURED_NS);
      long nRounds = Math.max(1, (long) (threadNs * share / (2 * measuredNs)));
      long nPieces = measuredNs / pieceNs;
      long inNative = iterationsPerMs * pieceNs / 1_000_000;
      long inBytecode = (long) (inNative * (1 - share) / share);
      for (long round = 0; round < nRounds; round++) {
        measured(nPieces * inNative);
        startBytecode();
        work(nPieces * inBytecode);
        endBytecode(nPieces * inBytecode);
        if (how == How.JNI) {
          call(nPieces, inNative, inBytecode);
        } else {
          for (long piece = 0; piece < nPieces; piece++) {
            spin(inNative);
            work(inBytecode);
          }
        }
        if (how == How.WAITS) {
          nap();
        }
      }
      end(nRounds * nPieces * inBytecode);
    }
  }

  private static final Case[] CASES = {
    new Case(0, "10 ms", 10_000_000, 0.5, How.CALLS),
    new Case(1, "100 µs", 100_000, 0.5, How.CALLS),
    new Case(2, "10 µs", 10_000, 0.5, How.CALLS),
    new Case(3, "1 µs", 1_000, 0.5, How.CALLS),
    new Case(4, "10 µs, a tenth is native", 10_000, 0.1, How.CALLS),
    new Case(5, "10 µs, nine tenths are native", 10_000, 0.9, How.CALLS),
    new Case(6, "10 µs, calls of Java by JNI", 10_000, 0.5, How.JNI),
    new Case(7, "10 µs, and waits", 10_000, 0.5, How.WAITS),
    new Case(8, "10 µs, first of three at once", 10_000, 0.5, How.CALLS),
    new Case(9, "10 µs, second of three at once", 10_000, 0.5, How.CALLS),
    new Case(10, "10 µs, third of three at once", 10_000, 0.5, How.CALLS),
  };
  private static final int FIRST_AT_ONCE = 8;

  private Share() {}

  private static native void begin(int index);

  /** Loops, and measures how long that takes. */
  private static native void measured(long iterations);

  /** Loops as long. */
  private static native void spin(long iterations);

  /** Loops by turns here and, by JNI, in `work`. */
  private static native void call(long nPieces, long inNative, long inBytecode);

  /** Sleeps for a millisecond. */
  private static native void nap();

  /** Bytecode is measured from here to `endBytecode`. */
  private static native void startBytecode();

  private static native void endBytecode(long iterations);

  /** The thread has worked for so many iterations that it did not measure. */
  private static native void end(long iterations);

  /** Iterations of the loop in a millisecond of processor time, about. */
  private static native long iterationsPerMs();

  /** What thread `index` did, as text; waits until the system has ended it. */
  private static native String result(int index);

  private static void work(long iterations) {
    long x = sink | 1;
    for (long i = 0; i < iterations; i++) {
      x ^= x << 13;
      x ^= x >>> 7;
      x ^= x << 17;
    }
    sink = x;
  }

  /** Arguments: the library, and how many milliseconds each thread is to work, about. */
  public static void main(String[] arguments) throws InterruptedException {
    System.load(arguments[0]);
    threadNs = Long.parseLong(arguments[1]) * 1_000_000;
    iterationsPerMs = iterationsPerMs();
    work(WARM_UP);
    work(WARM_UP);
    for (int i = 0; i < FIRST_AT_ONCE; i++) {
      CASES[i].start().join();
    }
    for (int i = FIRST_AT_ONCE; i < CASES.length; i++) {
      CASES[i].start();
    }
    for (Case each : CASES) {
      System.out.println(each.name() + "\t" + result(each.index()));
    }
  }
}
