package io.jvmscope.probe;

import java.util.Map;

/** Adds the bytecodes of each thread to its logical clock; {@code ClockEdits} has it read. */
final class Steps implements Probe {
  private static final String STEPS = "steps";

  @Override
  public String option() {
    return "clock";
  }

  @Override
  public Probe chosenBy(Map<String, String> options) {
    return STEPS.equals(options.get(option())) ? this : null;
  }

  @Override
  public void atSegment(Code code, int segment) {
    code.advanceClock(code.plan().segmentLength(segment));
  }

  @Override
  public String toString() {
    return STEPS;
  }
}
