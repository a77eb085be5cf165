package io.jvmscope.probe;

import io.jvmscope.probe.StateCounts.InState;

/** How fields were accessed first: where that was a write, their zero was needless. */
final class Zeroing extends NamedProbe {
  private static final int FIRST_WRITE = 1;

  Zeroing() {
    super("zeroing");
  }

  @Override
  public ProbeTables tables(Recording recording) {
    return () ->
        StateCounts.writeFields(
            recording,
            "field_zeroing",
            new InState("n_read_first", FIRST_WRITE, 0),
            new InState("n_written_first", FIRST_WRITE, FIRST_WRITE));
  }
}
