package io.jvmscope.snippet;

/** The calling context that a snippet runs in; it belongs to the current thread. */
public final class Context {
  private Context() {}
}
