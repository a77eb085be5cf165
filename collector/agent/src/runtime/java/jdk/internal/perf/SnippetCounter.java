package jdk.internal.perf;

import jdk.internal.vm.annotation.ForceInline;

/** A column of counts: the API's {@code Counter}. */
public final class SnippetCounter {
  private final int number;

  private SnippetCounter(int number) {
    this.number = number;
  }

  public static SnippetCounter of(String column) {
    return new SnippetCounter(SnippetProbe.counter(column));
  }

  public void add(SnippetContext context, long count, Object... keys) {
    if (count < 0L) {
      throw new IllegalArgumentException("a counter can only grow, by " + count + " it would not");
    }
    SnippetProbe.check(context);
    if (count > 0L) {
      SnippetProbe.add(context, SnippetKeys.of(number, keys), count);
    }
  }

  /**
   * The same with at most two keys, without an array of them: preparing a JDK changes calls of the
   * other method to this one.
   *
   * @param form see {@link SnippetKeys#few}
   */
  @ForceInline
  public void add(
      SnippetContext context, long count, int a, Object first, int b, Object second, int form) {
    if (count <= 0L) {
      add(context, count, SnippetKeys.array(a, first, b, second, form));
      return;
    }
    SnippetProbe.check(context);
    SnippetProbe.add(context, SnippetKeys.few(number, a, first, b, second, form), count);
  }
}
