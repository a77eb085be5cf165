package io.jvmscope.agent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The class files that were transformed last. The VM passes them from agent to agent, each time as
 * a new array, and those that come later are shown what the program has.
 */
final class ShownClasses {
  /** Threads load classes side by side, and the VM asks one agent after the other. */
  private static final int KEPT = 32;

  private final List<Transformed> kept = new ArrayList<>();

  /** What agents have been shown and not answered yet: meanwhile they may load any classes. */
  private final List<Asked> asked = new ArrayList<>();

  /** The name is null if the VM was not told any, as by {@code defineClass(null, ...)}. */
  private record Transformed(String name, byte[] original, byte[] result) {
    boolean is(String asked, byte[] bytes) {
      boolean isNamed = asked == null ? name == null : asked.equals(name);
      return isNamed && Arrays.equals(result, bytes);
    }
  }

  private record Asked(byte[] shown, Transformed transformed) {}

  synchronized void add(String name, byte[] original, byte[] result) {
    keep(new Transformed(name, original, result));
  }

  private void keep(Transformed transformed) {
    if (kept.size() == KEPT) {
      kept.remove(0);
    }
    kept.add(transformed);
  }

  /**
   * What became a class file, as it was; the file itself if that is not known. It is a copy, since
   * an agent may write into it without changing the class.
   */
  synchronized byte[] original(String name, byte[] result) {
    for (int k = kept.size() - 1; k >= 0; k--) {
      Transformed transformed = kept.get(k);
      if (transformed.is(name, result)) {
        byte[] shown = transformed.original.clone();
        asked.add(new Asked(shown, kept.remove(k)));
        return shown;
      }
    }
    return result;
  }

  /**
   * An agent has answered: is what it was asked about what {@link #original} returned? If it left
   * the class as it was, the VM asks the next agent about the same file.
   */
  synchronized boolean answered(byte[] shown, boolean isChanged) {
    for (int k = asked.size() - 1; k >= 0; k--) {
      if (asked.get(k).shown == shown) {
        Transformed transformed = asked.remove(k).transformed;
        if (!isChanged) {
          keep(transformed);
        }
        return true;
      }
    }
    return false;
  }
}
