package io.jvmscope.arena;

/** The raw directory cannot be read; the message says which file, where, what and what was due. */
public final class RecordingDamaged extends RuntimeException {
  private static final long serialVersionUID = 1;

  public RecordingDamaged(String message) {
    super(message);
  }
}
