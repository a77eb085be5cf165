package io.jvmscope.snippet;

/** A column of counts in a table of the probe. Outside of a recording it counts nothing. */
public final class Counter {
  private Counter() {}

  /** The counter of a column, {@code TABLE.COLUMN}, as a constant. */
  public static Counter of(String column) {
    return new Counter();
  }

  /**
   * Adds to the row of a context.
   *
   * @param keys the values of the other columns in their order, but for the context, thread or
   *     method, which the context tells
   */
  public void add(Context context, long count, Object... keys) {}
}
