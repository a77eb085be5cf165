package io.jvmscope.watch;

import java.util.List;

/** Classes that get no probes, and why. */
final class Refusals {
  /**
   * What is called before a thread knows that it measures, by conditions, too; {@code *} stands for
   * any rest.
   */
  private static final List<String> USED =
      List.of(
          "java/lang/Object",
          "java/lang/Thread*",
          "java/lang/BaseVirtualThread*",
          "java/lang/VirtualThread*",
          "java/lang/System",
          "java/lang/String",
          "java/lang/StringCoding",
          "java/lang/StringLatin1",
          "java/lang/StringUTF16",
          "java/lang/ClassValue*",
          "java/lang/invoke/*",
          "java/lang/ref/*",
          "java/lang/instrument/*",
          "jdk/internal/*",
          "sun/instrument/*");

  private static final String OURS = "io/jvmscope/";

  private Refusals() {}

  /** Why a class gets no probes; null: it may get them. */
  static String of(ClassLoader loader, String name) {
    if (name.startsWith(OURS) && loader == null) {
      return "it is a part of jvmscope";
    }
    for (String used : USED) {
      boolean isBeginning = used.endsWith("*");
      String wanted = isBeginning ? used.substring(0, used.length() - 1) : used;
      if (loader == null && (isBeginning ? name.startsWith(wanted) : name.equals(wanted))) {
        return "measuring needs it itself";
      }
    }
    return seesUs(loader) ? null : "its class loader does not ask for classes of the boot loader";
  }

  private static boolean seesUs(ClassLoader loader) {
    try {
      return Class.forName(Probes.class.getName(), false, loader) == Probes.class;
    } catch (ClassNotFoundException | RuntimeException | LinkageError e) { // it may do anything
      return false;
    }
  }
}
