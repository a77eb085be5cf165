package agents;

/** A class that agents change: what it adds tells which of two versions runs. */
public class Changed {
  static final int VERSION = 1;

  private int sum;
  private final Object first = new Object();

  int add(int k) {
    sum += k;
    return helped(sum);
  }

  private int helped(int k) {
    return first == null ? -1 : k + VERSION;
  }

  int sum() {
    return sum;
  }

  private native void none();
}
