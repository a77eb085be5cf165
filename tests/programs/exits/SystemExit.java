/** Ends by System.exit below two frames and a finally that never runs; a hook still does. */
public final class SystemExit {
  private static int work(int n) { // expect: calls=10
    return n * n;
  }

  private static void leave(int n) { // expect: calls=3
    try {
      if (n == 0) {
        System.exit(42); // expect: exit=42 executions=1
      }
      leave(n - 1); // expect: executions=2
    } finally {
      System.out.println("never"); // expect: executions=0
    }
  }

  public static void main(String[] args) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  System.out.println("hook " + work(4)); // expect: executions=1
                },
                "hook"));
    int sum = 0;
    for (int i = 0; i < 9; i++) {
      sum += work(i); // expect: executions=9
    }
    System.out.println(sum);
    leave(2);
  }
}
