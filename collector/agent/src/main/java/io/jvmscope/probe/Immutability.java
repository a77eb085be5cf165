package io.jvmscope.probe;

import io.jvmscope.probe.StateCounts.InState;

/** Which fields and objects stay as their constructors leave them. */
final class Immutability extends NamedProbe {
  // Of a field.
  private static final int MUTABLE = 2;

  // Of an object.
  static final int KIND = 3;
  static final int ALL_IMMUTABLE = 2;
  private static final int ONE_MUTABLE = 3;

  Immutability() {
    super("immutability");
  }

  @Override
  public ProbeTables tables(Recording recording) {
    return () -> {
      StateCounts.writeFields(
          recording,
          "field_immutability",
          new InState("n_immutable", MUTABLE, 0),
          new InState("n_mutable", MUTABLE, MUTABLE));
      StateCounts.writeClasses(
          recording,
          "object_immutability",
          new InState("n_immutable", KIND, ALL_IMMUTABLE),
          new InState("n_mutable", KIND, ONE_MUTABLE));
    };
  }
}
