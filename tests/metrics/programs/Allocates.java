/**
 * Objects and arrays of known sizes, in a VM with compressed references: the header of an object
 * has 12 bytes, that of an array 16, and sizes are multiples of 8. Its 122 bytecodes: main 10, seven
 * times Small 3, twice Large 3, work 31 and arrays 8, and fail 7.
 */
public final class Allocates {
  static class Small {
    int a;
  }

  static final class Large extends Small {
    long b;
    Object c;
    byte d;
  }

  public static void main(String[] args) {
    work();
    work();
    fail(0);
    new Small();
  }

  /** Two Small of 16 bytes and a Large of 12 + 4 + 8 + 4 + 1, in 32: 2 + 3 * 3 + 2 * 6 + 4 + 3 + 1. */
  static void work() {
    for (int i = 0; i < 2; i++) {
      new Small();
    }
    new Large();
    arrays(new byte[5]); // 16 + 5, in 24
  }

  /** Three arrays by one instruction, and one by a native method: 4 + 3 + 1. */
  static void arrays(byte[] bytes) {
    int[][] table = new int[2][3]; // 16 + 2 * 4 = 24, and two of 16 + 3 * 4, in 32
    bytes.clone(); // 24
  }

  /** The VM makes the exception, of 40 bytes; what comes after the division counts, too: 4 + 3. */
  static int fail(int zero) {
    try {
      return 1 / zero;
    } catch (ArithmeticException e) {
      return 0;
    }
  }
}
