package io.jvmscope.agent;

import java.util.Arrays;

/**
 * The class files that were transformed last. The VM passes them from agent to agent, each time as
 * a new array, and those that come later are shown what the program has.
 */
final class ShownClasses {
  /** Agents load classes of their own, for which all are asked, while they transform one. */
  private static final int KEPT = 32;

  private final String[] names = new String[KEPT];
  private final byte[][] originals = new byte[KEPT][];
  private final byte[][] results = new byte[KEPT][];
  private int next;

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
        return originals[k];
      }
    }
    return result;
  }

  /** Is it what {@link #original} returned? */
  synchronized boolean isShown(String name, byte[] original) {
    for (int k = 0; k < KEPT; k++) {
      if (originals[k] == original && name.equals(names[k])) {
        return true;
      }
    }
    return false;
  }
}
