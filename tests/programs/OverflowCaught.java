/** StackOverflowError, caught: how deep the stack goes is the VM's business, the rest is not. */
public final class OverflowCaught {
  private static int cleanUps;

  private static int down(int n) { // expect: unstable
    return 1 + down(n + 1);
  }

  private static int attempt() { // expect: calls=3
    try {
      return down(0); // expect: executions=3
    } catch (StackOverflowError e) {
      return 7; // expect: executions=3
    } finally {
      cleanUps++;
    }
  }

  private static int after(int n) { // expect: calls=11
    return n == 0 ? 0 : 1 + after(n - 1);
  }

  public static void main(String[] args) throws InterruptedException {
    System.out.println(attempt() + attempt());
    Thread thread = new Thread(null, () -> System.out.println(attempt()), "small", 256 * 1024);
    thread.start();
    thread.join();
    System.out.println(after(10) + cleanUps);
  }
}
