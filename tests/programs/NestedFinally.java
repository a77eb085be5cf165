/** Nested try, catch and finally, with every way out: normal, return, break, continue, throw. */
public final class NestedFinally {
  private static int trace;

  private static void mark(int digit) { // expect: calls=44
    trace = trace * 31 + digit;
  }

  private static int nested(int kind) { // expect: calls=6
    try {
      mark(1); // expect: executions=6
      try {
        mark(2); // expect: executions=6
        if (kind == 1) {
          throw new IllegalStateException(); // expect: executions=1
        }
        if (kind == 2) {
          return 20; // expect: executions=1
        }
        int zero = kind == 3 ? 0 : 1;
        mark(3 / zero); // expect: executions=4
        mark(4); // expect: executions=3
      } catch (ArithmeticException e) {
        mark(5); // expect: executions=1
        throw new IllegalArgumentException(e); // expect: executions=1
      } finally {
        mark(6);
        if (kind == 4) {
          mark(7 % (kind - 4));
        }
      }
      mark(8); // expect: executions=2
    } catch (IllegalStateException e) {
      mark(9); // expect: executions=1
      return 90; // expect: executions=1
    } catch (ArithmeticException e) {
      mark(10); // expect: executions=1
    } finally {
      mark(11);
      trace++;
    }
    return kind; // expect: executions=3
  }

  @SuppressWarnings("finally")
  private static int override(int kind) {
    try {
      if (kind == 0) {
        throw new RuntimeException("lost"); // expect: executions=1
      }
      return 1; // expect: executions=1
    } finally {
      return 2; // expect: executions=1
    }
  }

  private static int loop() {
    int sum = 0;
    for (int i = 0; i < 6; i++) {
      try {
        if (i == 2) {
          continue; // expect: executions=1
        }
        if (i == 4) {
          break; // expect: executions=1
        }
        sum += i; // expect: executions=3
      } finally {
        sum += 100;
      }
    }
    return sum; // expect: executions=1
  }

  private static final class Resource implements AutoCloseable {
    private final int id;

    Resource(int id) { // expect: calls=6
      if (id == 13) {
        throw new IllegalArgumentException("13"); // expect: executions=1
      }
      this.id = id; // expect: executions=5
    }

    @Override
    public void close() { // expect: calls=5
      if (id == 2) {
        throw new IllegalStateException("close"); // expect: executions=1
      }
      mark(id); // expect: executions=4
    }
  }

  private static String resources(int a, int b) {
    try (Resource x = new Resource(a);
        Resource y = new Resource(b)) {
      return "used " + (x.id + y.id); // expect: executions=2
    } catch (RuntimeException e) {
      return e.getMessage() + " " + e.getSuppressed().length; // expect: executions=2
    }
  }

  private static int bottom(int depth) { // expect: calls=4
    try {
      if (depth == 0) {
        throw new IllegalStateException("bottom"); // expect: executions=1
      }
      return bottom(depth - 1); // expect: executions=3
    } catch (IllegalStateException e) {
      mark(depth); // expect: executions=4
      throw e; // expect: executions=4
    }
  }

  public static void main(String[] args) {
    for (int kind = 0; kind < 6; kind++) {
      int result = -1;
      try {
        result = nested(kind);
      } catch (IllegalArgumentException e) {
        mark(12); // expect: executions=1
      }
      System.out.println(kind + " " + result + " " + trace);
    }
    System.out.println(override(0) + override(1) + loop());
    System.out.println(resources(1, 3));
    System.out.println(resources(4, 13));
    System.out.println(resources(5, 2));
    try {
      bottom(3);
    } catch (IllegalStateException e) {
      System.out.println(e.getMessage() + trace);
    }
  }
}
