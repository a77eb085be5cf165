/**
 * Exceptions of three classes, caught by handlers of catch, finally and synchronized. Its 225
 * bytecodes: main 2 + 4 * 3 + 3 * 16 + 1, and in each of 3 rounds read 9 + 9 + 4, Own 7, work 25.
 */
public final class Catches {
  static final class Own extends RuntimeException {
    Own() {
      super(null, null, false, false);
    }
  }

  public static void main(String[] args) {
    for (int round = 0; round < 3; round++) {
      read(0);
      read(1);
      read(2);
      work(new Object());
    }
  }

  /** Own once in a round and IllegalStateException once, in one handler: 2 + 4 + 3, or 2 + 2. */
  static int read(int i) {
    try {
      switch (i) {
        case 0:
          throw new Own();
        case 1:
          throw new IllegalStateException();
        default:
          return i;
      }
    } catch (IllegalStateException | Own e) {
      return -1;
    }
  }

  /**
   * In a round: ArithmeticException by the monitor's handler, by finally's, and by catch. 13 in
   * the block that throws (also what does not run of it), in the handlers 5, 4 and 3.
   */
  static int work(Object lock) {
    int n = 0;
    try {
      try {
        synchronized (lock) {
          n /= 0;
        }
      } finally {
        n++;
      }
    } catch (ArithmeticException e) {
      return n;
    }
    return n;
  }
}
