/** Prints "ready" and waits to be ended by a signal; SIGTERM and SIGINT run the hook. */
public final class WaitsForSignal {
  private static int work(int n) { // expect: calls=10
    return n * n;
  }

  public static void main(String[] args) throws InterruptedException {
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
    System.out.println("ready " + sum);
    Object forever = new Object();
    synchronized (forever) {
      while (sum > 0) {
        forever.wait(); // expect: exit=143 executions=1
      }
    }
  }
}
