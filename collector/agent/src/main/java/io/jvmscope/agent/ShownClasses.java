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

  private final String[] names = new String[KEPT];
  private final byte[][] originals = new byte[KEPT][];
  private final byte[][] results = new byte[KEPT][];
  private int next;

  /** What agents have been shown and not answered yet: meanwhile they may load any classes. */
  private final List<byte[]> asked = new ArrayList<>();

  synchronized void add(String name, byte[] original, byte[] result) {
    names[next] = name;
    originals[next] = original;
    results[next] = result;
    next = (next + 1) % KEPT;
  }

  /** What became a class file, as it was; the file itself if that is not known. */
  synchronized byte[] original(String name, byte[] result) {
    for (int k = 0; k < KEPT; k++) {
      if (name.equals(names[k]) && Arrays.equals(results[k], result)) {
        asked.add(originals[k]);
        return originals[k];
      }
    }
    return result;
  }

  /** An agent has answered: is what it was asked about what {@link #original} returned? */
  synchronized boolean answered(byte[] original) {
    for (int k = asked.size() - 1; k >= 0; k--) {
      if (asked.get(k) == original) {
        asked.remove(k);
        return true;
      }
    }
    return false;
  }
}
