package io.jvmscope.dump;

/** The raw directory cannot be read; the message says which file, where, what and what was due. */
final class RecordingDamaged extends RuntimeException {
  private static final long serialVersionUID = 1;

  RecordingDamaged(String message) {
    super(message);
  }
}
