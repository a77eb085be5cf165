/** StackOverflowError leaves main; -XX:MaxJavaStackTraceDepth keeps the trace short. */
public final class StackOverflow {
  private static int down(int n) { // expect: unstable
    return 1 + down(n + 1);
  }

  private static int work(int n) { // expect: calls=1
    return n + 1;
  }

  public static void main(String[] args) {
    System.out.println(work(1));
    System.out.println(down(0)); // expect: exit=1 executions=1
    System.out.println("never"); // expect: executions=0
  }
}
