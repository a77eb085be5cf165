/** Calls class files of versions 48 and 49 that tests/oracle/handmade.py writes. */
public final class OldClasses {
  private static int outcome(java.util.function.IntUnaryOperator f, int n) { // expect: calls=3
    try {
      return f.applyAsInt(n); // expect: executions=3
    } catch (ArithmeticException e) {
      return -1000; // expect: executions=1
    }
  }

  public static void main(String[] args) {
    System.out.println(HandJsr.twice(1) + " " + HandJsr.twice(0) + " " + HandJsr.twice(-5));
    System.out.println(outcome(HandJsr::divide, 5) + " " + outcome(HandJsr::divide, 0));
    System.out.println(HandWideRet.next(1) + " " + HandWideRet.next(2));
    System.out.println(HandNoFrames.run(4) + " " + HandNoFrames.run(2) + HandNoFrames.run(-7));
    System.out.println(HandHandlers.again(5));
    System.out.println(HandHandlers.middle(3) + " " + HandHandlers.middle(0));
    System.out.println(outcome(HandHandlers::middle, 2));
    System.out.println(HandStack.shuffle(4));
    System.out.println(HandStack.make(20) + " " + HandStack.make(-1));
  }
}
