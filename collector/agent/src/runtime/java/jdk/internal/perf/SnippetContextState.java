package jdk.internal.perf;

/** A number for each context: the API's {@code ContextState}. */
public final class SnippetContextState {
  private final int key;

  /** Preparing a JDK numbers the states of a probe. */
  public SnippetContextState(int number) {
    key = ArenaLayout.FIRST_STATE + number;
  }

  public long get(SnippetContext context) {
    SnippetProbe.check(context);
    return SnippetProbe.get(context.slot, key);
  }

  public void set(SnippetContext context, long value) {
    SnippetProbe.check(context);
    SnippetProbe.set(context.slot, context.node, key, value);
  }
}
