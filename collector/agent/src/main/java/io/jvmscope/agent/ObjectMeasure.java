package io.jvmscope.agent;

import io.jvmscope.layout.HeapModel;
import java.lang.instrument.Instrumentation;

/**
 * Finds out how the VM lays out objects: from the sizes of arrays, which the recording does not
 * change, and from the options that no object shows.
 */
public final class ObjectMeasure {
  private static final int MOST_ALIGNMENT = 256;
  private static final int DEFAULT_PADDING = 128;

  private ObjectMeasure() {}

  /** Asks this VM, which was started with options. */
  public static HeapModel measure(Instrumentation vm, String[] options) {
    int[] sizes = new int[2 * MOST_ALIGNMENT + 1];
    for (int length = 0; length < sizes.length; length++) {
      sizes[length] = (int) vm.getObjectSize(new byte[length]);
    }
    int first = 1; // the least length that makes an array larger
    while (sizes[first] == sizes[0]) {
      first++;
    }
    int arrayBase = sizes[0] - (first - 1);
    long references = vm.getObjectSize(new Object[MOST_ALIGNMENT]);
    return new HeapModel(
        Runtime.version().feature(),
        sizes[first] - sizes[0],
        arrayBase,
        references < arrayBase + 8L * MOST_ALIGNMENT ? 4 : 8,
        padding(options),
        isLast("-XX:-RestrictContended", "-XX:+RestrictContended", options),
        isLast("-XX:-UseEmptySlotsInSupers", "-XX:+UseEmptySlotsInSupers", options));
  }

  private static int padding(String[] options) {
    String width = "-XX:ContendedPaddingWidth=";
    int padding = DEFAULT_PADDING;
    for (String option : options) {
      if (option.startsWith(width)) {
        padding = Integer.parseInt(option.substring(width.length()));
      }
    }
    return isLast("-XX:-EnableContended", "-XX:+EnableContended", options) ? 0 : padding;
  }

  /** Is an option there, and not its opposite behind it? */
  private static boolean isLast(String option, String opposite, String[] options) {
    boolean isLast = false;
    for (String given : options) {
      isLast = given.equals(option) || isLast && !given.equals(opposite);
    }
    return isLast;
  }
}
