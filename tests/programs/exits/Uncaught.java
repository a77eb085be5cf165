/** An exception leaves main: the VM prints it and exits with 1. */
public final class Uncaught {
  private static int work(int n) { // expect: calls=10
    if (n == 9) {
      throw new IllegalStateException("uncaught", new RuntimeException("cause")); // expect: exit=1
    }
    return n * n; // expect: executions=9
  }

  public static void main(String[] args) {
    int sum = 0;
    for (int i = 0; ; i++) {
      sum += work(i); // expect: executions=10
      System.out.println(sum); // expect: executions=9
    }
  }
}
