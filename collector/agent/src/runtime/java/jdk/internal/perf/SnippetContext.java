package jdk.internal.perf;

/**
 * The context that a snippet runs in: a node, and where it has the slot of what snippets count. The
 * API's {@code Context}.
 */
public final class SnippetContext {
  final long node;
  final long slot;
  final Thread thread;

  SnippetContext(long node, int distance) {
    this.node = node;
    this.slot = node + distance;
    this.thread = Thread.currentThread();
  }
}
