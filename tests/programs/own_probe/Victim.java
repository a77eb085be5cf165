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
    kept();
    Thread thread = new Thread(Victim::kept);
    thread.start();
    thread.join();
    calledBack(Victim::unseen);
    Thread small = new Thread(null, Victim::overflow, "small", 1 << 18);
    small.start();
    small.join();
    System.out.println(depth > 100);
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
