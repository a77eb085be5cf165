/** Ends by Runtime.halt: no hook runs, and output that was not flushed is lost. */
public final class Halt {
  private static int work(int n) { // expect: calls=9
    return n * n;
  }

  public static void main(String[] args) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  System.out.println("never"); // expect: executions=0
                }));
    int sum = 0;
    for (int i = 0; i < 9; i++) {
      sum += work(i); // expect: executions=9
    }
    System.out.println(sum);
    Runtime.getRuntime().halt(43); // expect: exit=43 executions=1
    System.out.println("never"); // expect: executions=0
  }
}
