package jdk.internal.perf;

/**
 * Calls snippets and guards. This body stands in at compile time only: where there is a probe of a
 * user's own, preparing a JDK generates the class, with a method for each snippet.
 */
final class SnippetCalls {
  private SnippetCalls() {}

  /** Does the guard of a snippet want it at a place? */
  static boolean allows(int snippet, SnippetSite site) {
    throw new UnsupportedOperationException("not prepared");
  }
}
