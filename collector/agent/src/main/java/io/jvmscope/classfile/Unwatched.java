package io.jvmscope.classfile;

import java.util.Map;

/** Classes of the JDK whose objects get no words for their state, each with its reason. */
public final class Unwatched {
  public static final String LOADED_EARLY =
      "loaded before it could get fields for the states of its objects";

  private static final String MADE_BY_VM = "the VM makes its objects, and reads and writes them";
  private static final String LAYOUT = "the VM relies on the layout of its objects";
  private static final String FILLER = "the VM fills gaps of the smallest size with its objects";

  private static final Map<String, String> REASONS =
      Map.of(
          "java/lang/Object", "arrays would be larger, too",
          "java/lang/Class", MADE_BY_VM,
          "java/lang/String", MADE_BY_VM,
          "java/lang/Thread", MADE_BY_VM,
          "java/lang/ref/Reference", LAYOUT,
          "jdk/internal/vm/StackChunk", LAYOUT,
          "jdk/internal/vm/FillerObject", FILLER);

  private Unwatched() {}

  /** Is it one of the reasons here? */
  public static boolean isReason(String why) {
    return why.equals(LOADED_EARLY) || REASONS.containsValue(why);
  }

  /** Why the fields that a class declares have no words; null if they may have. */
  public static String reason(String className) {
    return REASONS.get(className);
  }
}
