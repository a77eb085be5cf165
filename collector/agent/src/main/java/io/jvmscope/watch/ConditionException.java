package io.jvmscope.watch;

/** A condition that cannot be compiled for a method. */
final class ConditionException extends Exception {
  private static final long serialVersionUID = 1;

  final transient Expression place;

  /** The number of the probe, where that is known. */
  int probe;

  ConditionException(Expression place, String message) {
    super(message);
    this.place = place;
  }
}
