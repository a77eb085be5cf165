package io.jvmscope.probe;

import java.util.Map;

/** Counts every stretch of instructions between two that may throw, where others count blocks. */
final class ExactExceptions implements Probe {
  @Override
  public String option() {
    return "exact_exceptions";
  }

  @Override
  public Probe chosenBy(Map<String, String> options) {
    return "true".equals(options.get(option())) ? this : null;
  }

  @Override
  public boolean splitsBlocks() {
    return true;
  }

  @Override
  public String toString() {
    return option();
  }
}
