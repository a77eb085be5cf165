package io.jvmscope.probe;

import java.util.Map;

/**
 * The probes of a recording. They change the code that is inserted and the layout of nodes, so that
 * a prepared JDK serves one choice.
 *
 * <p>Used in the program's VM, before the program: arrays only, and nothing that links a lambda.
 */
public final class Probes {
  /** The option that names probes which need no values. */
  static final String NAMES = "probes";

  /** All there are; their code and their shares of nodes come in this order. */
  private static final Probe[] ALL = {
    new ExactExceptions(),
    new CallOrder(),
    new Receivers(),
    new Handlers(),
    new FieldStates(),
    new Immutability(),
    new Sharing(),
    new Zeroing(),
    new Allocations(),
    new Locking(),
    new HashCodes(),
    new Lifetimes(),
    new NativeCode(),
    new MethodCacheProbe(null),
    new Snippets(null),
    new Ticks(),
    new Steps(),
  };

  /** Calls and basic blocks only. */
  public static final Probes NONE = new Probes(new Probe[0]);

  private final Probe[] chosen;

  private Probes(Probe[] chosen) {
    this.chosen = chosen;
  }

  /** Those that options want; {@link IllegalArgumentException} if they name one that is none. */
  public static Probes of(Map<String, String> options) {
    checkNames(options.getOrDefault(NAMES, ""));
    Probe[] found = new Probe[ALL.length];
    int count = 0;
    for (Probe probe : ALL) {
      Probe chosen = probe.chosenBy(options);
      if (chosen != null) {
        found[count++] = chosen;
      }
    }
    Probe[] chosen = new Probe[count];
    System.arraycopy(found, 0, chosen, 0, count);
    return new Probes(chosen);
  }

  private static void checkNames(String names) {
    for (String name : names.split(",")) {
      boolean isKnown = name.isEmpty();
      for (Probe probe : ALL) {
        isKnown |= probe instanceof NamedProbe named && named.name().equals(name);
      }
      if (!isKnown) {
        throw new IllegalArgumentException(
            "jvmscope: unknown probe: " + name + "; there are " + names());
      }
    }
  }

  /** The probes that need no values, separated by commas. */
  public static String names() {
    StringBuilder names = new StringBuilder();
    for (Probe probe : ALL) {
      if (probe instanceof NamedProbe named) {
        names.append(names.length() == 0 ? "" : ",").append(named.name());
      }
    }
    return names.toString();
  }

  /** Is a probe chosen by an option of this name? */
  public static boolean isOption(String option) {
    for (Probe probe : ALL) {
      if (probe.option().equals(option)) {
        return true;
      }
    }
    return false;
  }

  /** The methods that the code of all probes calls, chosen or not. */
  public static RuntimeMethod[] runtimeMethods() {
    int count = 0;
    for (Probe probe : ALL) {
      count += probe.runtimeMethods().length;
    }
    RuntimeMethod[] methods = new RuntimeMethod[count];
    int at = 0;
    for (Probe probe : ALL) {
      for (RuntimeMethod method : probe.runtimeMethods()) {
        methods[at++] = method;
      }
    }
    return methods;
  }

  /** The probes, which nobody changes. */
  public Probe[] chosen() {
    return chosen;
  }

  /** Do threads have logical clocks? */
  public boolean hasSteps() {
    return has(Steps.class);
  }

  /** Are calls of hashCode followed? */
  public boolean hasHashCodes() {
    return has(HashCodes.class);
  }

  /** Do tables have the sizes of objects? */
  public boolean hasObjectSizes() {
    return has(Allocations.class) || hasLifetimes();
  }

  /** Are all references followed? */
  public boolean hasLifetimes() {
    return has(Lifetimes.class);
  }

  /** The user's own probe; null if there is none. */
  public Snippets snippets() {
    for (Probe probe : chosen) {
      if (probe instanceof Snippets snippets) {
        return snippets;
      }
    }
    return null;
  }

  private boolean has(Class<?> type) {
    for (Probe probe : chosen) {
      if (probe.getClass() == type) {
        return true;
      }
    }
    return false;
  }

  /** A number of its own for each choice, for the header of the arena. */
  public int mark() {
    return toString().hashCode();
  }

  /** Those that change code and nodes. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Probe probe : chosen) {
      if (probe.insertsCode()) {
        text.append(text.length() == 0 ? "" : " ").append(probe);
      }
    }
    return text.toString();
  }
}
