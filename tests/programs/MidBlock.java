/** Instructions in the middle of a block throw: the rest of the block does not run. */
public final class MidBlock {
  private interface Attempt {
    int run();
  }

  private static int nullArray(int[] a) { // expect: calls=3
    int s = 1; // expect: executions=3
    s += a.length; // expect: executions=3
    s += 2; // expect: executions=2
    return s;
  }

  private static int index(int[] a, int i) {
    int s = a[0]; // expect: executions=4
    s += a[i];
    s *= 3; // expect: executions=2
    return s;
  }

  private static int divide(int a, int b) {
    int s = a + b; // expect: executions=3
    s += a / b;
    s -= 1; // expect: executions=2
    return s;
  }

  private static long remainder(long a, long b) {
    long s = a - b; // expect: executions=2
    s += a % b;
    s -= 1; // expect: executions=1
    return s;
  }

  private static int cast(Object o) {
    int s = 1; // expect: executions=3
    String t = (String) o;
    s += t == null ? 0 : 5; // expect: executions=2
    return s;
  }

  private static int size(int n) {
    int s = n; // expect: executions=2
    long[] a = new long[n];
    s += a.length; // expect: executions=1
    return s;
  }

  private static int sizes(int n) {
    int s = n; // expect: executions=2
    int[][] a = new int[2][n];
    s += a[1].length; // expect: executions=1
    return s;
  }

  private static int store(Object[] a, Object o) {
    int s = 7; // expect: executions=2
    a[0] = o;
    s++; // expect: executions=1
    return s;
  }

  private static int field(Box b) {
    int s = 7; // expect: executions=2
    s += b.value;
    s++; // expect: executions=1
    b.value = s;
    return s;
  }

  private static int monitor(Object o) {
    int s = 7; // expect: executions=2
    synchronized (o) {
      s++; // expect: executions=1
    }
    return s;
  }

  private static int unbox(Integer i) {
    int s = 7; // expect: executions=2
    s += i;
    s++; // expect: executions=1
    return s;
  }

  private static int thrown(RuntimeException e) {
    int s = 7; // expect: executions=2
    if (s > 0) {
      throw e; // expect: executions=2
    }
    return s; // expect: executions=0
  }

  private static int callee(int depth) { // expect: calls=9
    if (depth == 0) {
      throw new IllegalStateException("bottom"); // expect: executions=2
    }
    int s = callee(depth - 1); // expect: executions=7
    s += 1; // expect: executions=0
    return s;
  }

  private static void attempt(String name, Attempt a) { // expect: calls=33
    try {
      System.out.println(name + " " + a.run()); // expect: executions=33
    } catch (RuntimeException e) {
      System.out.println(name + " " + e.getClass().getSimpleName()); // expect: executions=16
    }
  }

  private static final class Box {
    private int value = 3;
  }

  public static void main(String[] args) {
    int[] two = {4, 5};
    attempt("nullArray", () -> nullArray(two));
    attempt("nullArray", () -> nullArray(null));
    attempt("nullArray", () -> nullArray(two));
    attempt("index", () -> index(two, 0));
    attempt("index", () -> index(two, 2));
    attempt("index", () -> index(two, -1));
    attempt("index", () -> index(two, 1));
    attempt("divide", () -> divide(6, 3));
    attempt("divide", () -> divide(6, 0));
    attempt("divide", () -> divide(6, -1));
    attempt("remainder", () -> (int) remainder(6, 4));
    attempt("remainder", () -> (int) remainder(6, 0));
    attempt("cast", () -> cast("x"));
    attempt("cast", () -> cast(null));
    attempt("cast", () -> cast(two));
    attempt("size", () -> size(3));
    attempt("size", () -> size(-3));
    attempt("sizes", () -> sizes(3));
    attempt("sizes", () -> sizes(-3));
    attempt("store", () -> store(new Object[1], "x"));
    attempt("store", () -> store(new Integer[1], "x"));
    attempt("field", () -> field(new Box()));
    attempt("field", () -> field(null));
    attempt("monitor", () -> monitor(two));
    attempt("monitor", () -> monitor(null));
    attempt("unbox", () -> unbox(1000));
    attempt("unbox", () -> unbox(null));
    attempt("thrown", () -> thrown(new IllegalArgumentException()));
    attempt("thrown", () -> thrown(null));
    attempt("callee", () -> callee(3));
    attempt("callee", () -> callee(4));
    attempt("unused", () -> two.length);
    attempt("unused", () -> two[two.length - 1]);
  }
}
