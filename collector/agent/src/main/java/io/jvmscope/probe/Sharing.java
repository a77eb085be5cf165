package io.jvmscope.probe;

import io.jvmscope.probe.StateCounts.InState;

/** Which fields and objects several threads read or write. */
final class Sharing extends NamedProbe {
  // Of a field: who reads and who writes.
  private static final int READERS = 3 << 2;
  private static final int SEVERAL_READERS = 2 << 2;
  private static final int WRITERS = 3 << 4;
  private static final int ALLOCATING_WRITER = 1 << 4;
  private static final int SEVERAL_WRITERS = 3 << 4;

  // Of an object: how many of its fields are read-shared, and write-shared.
  private static final int READ = 3 << 2;
  private static final int WRITE = 3 << 4;
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
          new InState("n_read_shared", READERS | WRITERS, SEVERAL_READERS | ALLOCATING_WRITER),
          new InState("n_write_shared", WRITERS, SEVERAL_WRITERS));
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
