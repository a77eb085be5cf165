package io.jvmscope.agent;

import io.jvmscope.layout.HeapModel;
import java.lang.instrument.Instrumentation;

/**
 * Finds out how the VM lays out objects: from the sizes of arrays, which the recording does not
 * change, and from the options that no object shows. It asks for few sizes. The compilers come to
 * the question after some 200, and compiled, it leaves out the static fields in a {@code Class}
 * object: the program would be told so from its first question on.
 */
public final class ObjectMeasure {
  private static final int MOST_ALIGNMENT = 256;
  private static final int DEFAULT_PADDING = 128;

  private ObjectMeasure() {}

  /** Asks this VM, which was started with options. */
  public static HeapModel measure(Instrumentation vm, String[] options) {
    long empty = vm.getObjectSize(new byte[0]);
    int first = firstLarger(vm, empty);
    int arrayBase = (int) empty - (first - 1);
    long references = vm.getObjectSize(new Object[MOST_ALIGNMENT]);
    return new HeapModel(
        Runtime.version().feature(),
        (int) (vm.getObjectSize(new byte[first]) - empty),
        arrayBase,
        references < arrayBase + 8L * MOST_ALIGNMENT ? 4 : 8,
        padding(options),
        isLast("-XX:-RestrictContended", "-XX:+RestrictContended", options),
        isLast("-XX:-UseEmptySlotsInSupers", "-XX:+UseEmptySlotsInSupers", options));
  }

  /** The least length of a byte array that is larger than an empty one. */
  private static int firstLarger(Instrumentation vm, long empty) {
    int low = 0; // as large as an empty one
    int high = MOST_ALIGNMENT; // larger
    while (high - low > 1) {
      int middle = (low + high) / 2;
      if (vm.getObjectSize(new byte[middle]) > empty) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
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
