package jdk.internal.perf;

/** A number for each thread: the API's {@code ThreadState}. */
public final class SnippetThreadState {
  private final int key;

  /** Preparing a JDK numbers the states of a probe. */
  public SnippetThreadState(int number) {
    key = ArenaLayout.FIRST_STATE + number;
  }

  public long get() {
    long root = Roots.of(Thread.currentThread());
    return root == 0L ? 0L : SnippetProbe.get(root + Roots.STATES, key);
  }

  public void set(long value) {
    long root = Roots.of(Thread.currentThread());
    if (root != 0L) {
      SnippetProbe.set(root + Roots.STATES, root, key, value);
    }
  }
}
