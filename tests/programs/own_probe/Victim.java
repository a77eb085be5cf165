/** A program whose methods have snippets that fail. */
public class Victim {
  static int depth;

  static void recursion() {}

  static void memory() {}

  static void broken() {}

  static void locked() {}

  static void kept() {}

  static void thrown() {}

  static void type() {}

  static void none() {}

  static void nothing() {}

  static void negative() {}

  static void large() {}

  static void calledBack(Runnable program) {}

  static void deep() {
    depth++;
    deep();
  }

  static void main() throws Exception {
    link();
    fail();
    kept();
    start("other", 0, Victim::kept);
    start("small", 1 << 18, Victim::overflow);
    System.out.println(depth > 100);
  }

  /** Has the VM link a lambda, by classes that nothing used before. */
  static void link() {
    calledBack(Victim::unseen);
  }

  /** What one thread does. */
  static void fail() {
    for (int k = 0; k < 2; k++) {
      recursion();
      memory();
      broken();
      locked();
      thrown();
      type();
      none();
      nothing();
      negative();
    }
    large();
  }

  private static void start(String name, int stack, Runnable runs) throws Exception {
    Thread thread = new Thread(null, runs, name, stack);
    thread.start();
    thread.join();
  }

  /** What snippets call is not recorded. */
  static void unseen() {}

  static void overflow() {
    try {
      deep();
    } catch (StackOverflowError e) {
      caught();
    }
  }

  static void caught() {}
}
