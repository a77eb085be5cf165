package jdk.internal.perf;

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
}
