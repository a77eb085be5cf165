package io.jvmscope.calibration;

/**
 * A piece of work without a call or an object: how fast each form executes the rest of a method.
 */
final class Work {
  private static final int[] VALUES = {3, 1, 4, 1, 5, 9, 2, 6};
  private static int last;

  private Work() {}

  static long loop(int iterations) {
    int[] values = VALUES;
    int mixed = last;
    for (int i = 0; i < iterations; i++) {
      mixed = mixed * 31 + values[i & 7];
      if ((mixed & 4) == 0) {
        mixed ^= i;
      }
      values[i & 3] = mixed;
    }
    last = mixed;
    return mixed;
  }
}
