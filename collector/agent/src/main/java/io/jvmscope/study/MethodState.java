package io.jvmscope.study;

/** What a static probe knows of one method in one thread: its buffer, and a pending invocation. */
public final class MethodState {
  final SampleBuffer buffer; // null: there is no memory, so that nothing is measured
  boolean isActive;
  long entry;

  private final long thread;
  private final boolean isShared;

  MethodState(SampleBuffer buffer, long thread, boolean isShared) {
    this.buffer = buffer;
    this.thread = thread;
    this.isShared = isShared;
    isActive = buffer == null;
  }

  void end() {
    if (isShared) {
      buffer.addShared(thread, entry, System.nanoTime());
    } else {
      buffer.add(thread, entry);
    }
  }
}
