import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** For each line that comes in, calls methods whose time or bytecodes can be worked out. */
class Timed {
  static final int CALLS = 200;
  static final long BUSY_NS = 500_000;
  static long sum;

  public static void main(String[] arguments) throws IOException {
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    System.out.println("ready");
    while (input.readLine() != null) {
      for (int i = 0; i < CALLS; i++) {
        busy();
        sum += count(100);
        sum += nested(3);
        overloaded(i);
        new Made();
      }
      System.out.println("done");
    }
    if (sum == 1) {
      never();
    }
  }

  /** Takes half a millisecond, however fast the machine is. */
  static void busy() {
    long end = System.nanoTime() + BUSY_NS;
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }

  /** 9 n + 9 bytecodes: 4 before the loop, 3 a test, 6 a round, 2 behind it. */
  static int count(int n) {
    int found = 0;
    for (int i = 0; i < n; i++) {
      found += i;
    }
    return found;
  }

  /** Of depth 3: 3 times 7 bytecodes, 6 in the innermost, and those of count(10), 99. */
  static int nested(int depth) {
    return depth == 0 ? count(10) : nested(depth - 1);
  }

  static void overloaded(int i) {
    sum += i;
  }

  static void never() {
    sum++;
  }

  /** Nearly all that its constructor does is done in that of its superclass. */
  static class Made extends Base {
    Made() {
      super(100);
      sum++;
    }
  }

  static class Base {
    Base(int n) {
      for (int i = 0; i < n; i++) {
        sum += i;
      }
    }
  }
}
