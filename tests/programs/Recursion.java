/** Direct, mutual and deep recursion, through static, virtual and interface calls. */
public final class Recursion {
  private interface Visitor {
    int visit(int depth, Visitor other);
  }

  private static int factorial(int n) { // expect: calls=10
    return n < 2 ? 1 : n * factorial(n - 1); // expect: executions=10
  }

  private static int fibonacci(int n) { // expect: calls=177
    if (n < 2) {
      return n; // expect: executions=89
    }
    return fibonacci(n - 1) + fibonacci(n - 2); // expect: executions=88
  }

  private static boolean isEven(int n) { // expect: calls=26
    return n == 0 || isOdd(n - 1); // expect: executions=26
  }

  private static boolean isOdd(int n) { // expect: calls=25
    return n != 0 && isEven(n - 1); // expect: executions=25
  }

  private static int deep(int n) { // expect: calls=5001
    if (n == 0) {
      return 0; // expect: executions=1
    }
    return 1 + deep(n - 1); // expect: executions=5000
  }

  private static int ackermann(int m, int n) { // expect: calls=44
    if (m == 0) {
      return n + 1;
    }
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
  }

  private static final class Ping implements Visitor {
    @Override
    public int visit(int depth, Visitor other) { // expect: calls=6
      return depth == 0 ? 0 : 1 + other.visit(depth - 1, this); // expect: targets=1
    }
  }

  private static final class Pong implements Visitor {
    @Override
    public int visit(int depth, Visitor other) { // expect: calls=5
      return depth == 0 ? 0 : 10 + other.visit(depth - 1, this); // expect: targets=1
    }
  }

  private static int hanoi(int n, int from, int to, int spare) { // expect: calls=127
    return n == 0 ? 0 : hanoi(n - 1, from, spare, to) + 1 + hanoi(n - 1, spare, to, from);
  }

  public static void main(String[] args) {
    System.out.println(factorial(10));
    System.out.println(fibonacci(10));
    System.out.println(isEven(50));
    System.out.println(deep(5000));
    System.out.println(ackermann(2, 3));
    System.out.println(new Ping().visit(10, new Pong()));
    System.out.println(hanoi(6, 1, 2, 3));
    if (args.length > 0) {
      main(new String[0]); // expect: executions=0
    }
  }
}
