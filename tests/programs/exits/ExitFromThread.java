/** Another thread calls System.exit while main waits for it. */
public final class ExitFromThread {
  private static int work(int n) { // expect: calls=1
    return n + 1;
  }

  public static void main(String[] args) throws InterruptedException {
    Thread thread =
        new Thread(
            () -> {
              System.out.println(work(1)); // expect: executions=1
              System.exit(5); // expect: exit=5 executions=1
            },
            "leaver");
    thread.start();
    thread.join();
    System.out.println("never"); // expect: executions=0
  }
}
