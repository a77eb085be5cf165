package io.jvmscope.snippet;

/** A number that each thread has of its own, at first 0. Outside of a recording it stays 0. */
public final class ThreadState {
  /** The number of the current thread. */
  public long get() {
    return 0L;
  }

  /** Sets the number of the current thread. */
  public void set(long value) {}
}
