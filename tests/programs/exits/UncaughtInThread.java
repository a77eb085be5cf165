/** An exception leaves another thread's run: the exit status stays 0. */
public final class UncaughtInThread {
  private static int work(int n) { // expect: calls=2
    return 1 / n; // expect: executions=2
  }

  public static void main(String[] args) throws InterruptedException {
    Thread thread =
        new Thread(
            () -> {
              System.out.println(work(1)); // expect: executions=1
              System.out.println(work(0)); // expect: executions=1
            },
            "doomed");
    thread.start();
    thread.join();
    System.out.println("main goes on"); // expect: exit=0 executions=1
  }
}
