/** Boxing, and arithmetic on every primitive type, with two-slot values on the stack. */
public final class Numbers {
  private static long mix(int i, long l, float f, double d) { // expect: calls=8
    long r = i + l; // expect: executions=8
    r ^= (long) (f * d) << (i & 7);
    r = r * 31 + (l >>> 3) - (l >> 2) + (l & 0xff | i ^ 0x55);
    d = d / (i + 0.5) % 7 - f;
    f = -f % 3 + (float) d;
    return r + (int) d + (long) f + (l > r ? 1 : -1) + (f < d ? 2 : -2); // expect: executions=8
  }

  private static int narrow(int i) {
    byte b = (byte) i;
    short s = (short) (i * 3);
    char c = (char) (i * 5);
    b += s;
    s -= c;
    c *= b;
    b++;
    return b + s + c; // expect: executions=4
  }

  private static int boxes(int n) {
    Integer sum = 0;
    for (Integer i = 0; i < n; i++) {
      sum += i; // expect: executions=200
    }
    Long big = 1000L;
    big++;
    Double d = 1.5;
    d *= 2;
    Character c = 'a';
    c++;
    Boolean z = sum > 5;
    Byte b = 3;
    Short s = 300;
    Float f = 2f;
    Object o = z ? (Object) big : c;
    Object mixed = z ? 1 : 2.0;
    return sum + (int) (long) big + (int) (d + f) + c + b + s + o.hashCode() + mixed.hashCode();
  }

  private static boolean cached(Integer a, Integer b) {
    return a == b; // expect: executions=2
  }

  private static long power(long base, int exponent) {
    long result = 1;
    while (exponent > 0) {
      if ((exponent & 1) == 1) {
        result *= base; // expect: executions=3
      }
      base *= base; // expect: executions=4
      exponent >>= 1;
    }
    return result;
  }

  private static int compare(double a, double b) {
    if (a < b) {
      return -1; // expect: executions=1
    }
    if (a > b) {
      return 1; // expect: executions=1
    }
    return a == b ? 0 : 2; // expect: executions=3
  }

  private static long[] longs(long... values) { // expect: calls=1
    long carry = 0;
    for (int i = 0; i < values.length; i++) {
      carry = values[i] += carry++; // expect: executions=3
      values[i]--;
      values[i] <<= values[(int) (carry & 1)] & 3;
    }
    return values;
  }

  private static double maths(double x) {
    return Math.sin(x) + Math.cos(x) + Math.sqrt(x) + Math.abs(-x) + Math.max(x, 1) // expect: executions=5
        + Math.pow(x, 2) + Math.floor(x) + Math.fma(x, 2, 1) + Math.exp(x) + Math.log(x + 1);
  }

  public static void main(String[] args) {
    long total = 0;
    for (int i = 0; i < 8; i++) {
      total = total * 7 + mix(i, total, i * 0.5f, i - 2.5);
    }
    System.out.println(total);
    System.out.println(narrow(1) + narrow(200) + narrow(-1) + narrow(70000));
    System.out.println(boxes(200));
    System.out.println(cached(127, 127) + " " + cached(1000, 1001));
    System.out.println(power(3, 11));
    System.out.println(
        compare(1, 2) + compare(2, 1) + compare(1, 1) + compare(Double.NaN, 1) + compare(0.0, -0.0));
    long[] values = longs(1, 2, 3);
    System.out.println(values[0] + values[1] * values[2]);
    double sum = 0;
    for (int i = 0; i < 5; i++) {
      sum += maths(i);
    }
    System.out.printf("%.6f%n", sum);
    System.out.println(Math.floorMod(-7, 3) + Math.addExact(3, 4) + Integer.bitCount(255));
    try {
      Math.multiplyExact(Integer.MAX_VALUE, 2);
    } catch (ArithmeticException e) {
      System.out.println(e.getMessage()); // expect: executions=1
    }
  }
}
