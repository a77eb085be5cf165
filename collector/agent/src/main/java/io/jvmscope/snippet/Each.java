package io.jvmscope.snippet;

/** What a method with {@link AtEnd} runs for. */
public enum Each {
  /** A context in which the probe has counted or set a state. */
  CONTEXT,
  /** A thread for which the probe has set a state; its rows are of the thread's root. */
  THREAD
}
