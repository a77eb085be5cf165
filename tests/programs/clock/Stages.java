/** Says how long classes take to be used first, and loops to run, around the method of `--from`. */
public class Stages {
  static int sum;

  static class Before {
    static int value = 1;
  }

  static class Within {
    static int value = 2;
  }

  static class After {
    static int value = 3;
  }

  // 2 bytecodes before the loop, 3 for each of n + 1 tests, 6 for each of n rounds, 1 to return.
  static void spend(int rounds) {
    for (int round = 0; round < rounds; round++) {
      sum += round;
    }
  }

  static long first(int stage) {
    long begin = System.nanoTime();
    switch (stage) {
      case 0 -> sum += Before.value;
      case 1 -> sum += Within.value;
      default -> sum += After.value;
    }
    return System.nanoTime() - begin;
  }

  // What spend takes, and 25 ns of a reading; the block's own are added before the first one.
  static long loop() {
    long begin = System.nanoTime();
    spend(1000);
    return System.nanoTime() - begin;
  }

  static long measured() {
    return first(1);
  }

  public static void main(String[] arguments) {
    long before = first(0);
    long loopBefore = loop();
    long within = measured();
    long after = first(2);
    long loopAfter = loop();
    System.out.println("first uses: " + before + " " + within + " " + after);
    System.out.println("loops: " + loopBefore + " " + loopAfter);
  }
}
