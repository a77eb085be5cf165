/**
 * Calls through an interface and by invokedynamic. Its 16 bytecodes: main 7, nothing 2 * 1, and in
 * the class of the method reference run 2 * 2 and {@code <init>} 3, with an invokestatic and an
 * invokespecial.
 */
public final class Calls {
  public static void main(String[] args) {
    Runnable task = Calls::nothing; // 2: invokedynamic
    task.run(); // 2: invokeinterface
    task.run(); // 2
  } // 1

  static void nothing() {} // 1
}
