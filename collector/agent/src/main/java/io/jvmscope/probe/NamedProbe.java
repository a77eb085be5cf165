package io.jvmscope.probe;

import java.util.Map;

/** A probe that {@code --probes} names; it has no values of its own. */
abstract class NamedProbe implements Probe {
  private final String name;

  NamedProbe(String name) {
    this.name = name;
  }

  final String name() {
    return name;
  }

  @Override
  public final String option() {
    return Probes.NAMES;
  }

  @Override
  public final Probe chosenBy(Map<String, String> options) {
    for (String chosen : options.getOrDefault(Probes.NAMES, "").split(",")) {
      if (chosen.equals(name)) {
        return this;
      }
    }
    return null;
  }

  @Override
  public final String toString() {
    return name;
  }
}
