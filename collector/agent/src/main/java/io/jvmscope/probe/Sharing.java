package io.jvmscope.probe;

import io.jvmscope.probe.StateCounts.InState;

/** Which fields and objects several threads read or write. */
final class Sharing extends NamedProbe {
  // Of a field.
  private static final int READ_SHARED = 1 << 2;
  private static final int WRITE_SHARED = 1 << 3;

  // Of an object: how many of its fields are read-shared, and write-shared.
  static final int READ = 3 << 2;
  static final int WRITE = 3 << 4;
  private static final int SOME = 1;
  private static final int ALL = 2;

  Sharing() {
    super("sharing");
  }

  @Override
  public ProbeTables tables(Recording recording) {
    return () -> {
      StateCounts.writeFields(
          recording,
          "field_sharing",
          new InState("n_read_shared", READ_SHARED, READ_SHARED),
          new InState("n_write_shared", WRITE_SHARED, WRITE_SHARED));
      StateCounts.writeClasses(
          recording,
          "object_sharing",
          new InState("n_partially_read_shared", READ, SOME << 2),
          new InState("n_fully_read_shared", READ, ALL << 2),
          new InState("n_partially_write_shared", WRITE, SOME << 4),
          new InState("n_fully_write_shared", WRITE, ALL << 4));
    };
  }
}
