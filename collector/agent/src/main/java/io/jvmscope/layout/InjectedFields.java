package io.jvmscope.layout;

import java.util.Map;

/**
 * The fields that the VM adds to classes of the JDK, by their types: HotSpot's {@code
 * javaClasses.hpp}. To events of the flight recorder it adds when they began and how long they
 * took.
 */
final class InjectedFields {
  private static final Map<String, String> BY_CLASS =
      Map.of(
          "java/lang/String", "B",
          "java/lang/ClassLoader", "J",
          "java/lang/Module", "J",
          "java/lang/InternalError", "Z",
          "java/lang/StackFrameInfo", "S",
          "java/lang/invoke/MemberName", "J",
          "java/lang/invoke/MethodHandleNatives$CallSiteContext", "JJ");

  private static final String EVENT = "jdk/internal/event/Event";
  private static final String PUBLIC_EVENT = "jdk/jfr/Event";

  private InjectedFields() {}

  /**
   * The types of the fields of a class.
   *
   * @param fields its own, as {@link FieldGroups} writes them
   * @param isOfJdk was it defined by the boot or platform loader?
   */
  static String of(String name, String superName, String fields, boolean isOfJdk, int release) {
    boolean isEvent = EVENT.equals(superName) || PUBLIC_EVENT.equals(superName);
    if (isEvent && !name.equals(PUBLIC_EVENT)) {
      return "JJ";
    }
    if (!isOfJdk) {
      return "";
    }
    return switch (name) {
      case "java/lang/Class" -> release >= 25 ? "JJIILL" : "JJIILLL";
      case "java/lang/Thread" -> release >= 21 ? "JIZS" : release >= 19 ? "J" : "";
      case "java/lang/VirtualThread" -> release >= 25 ? "J" : "";
      case "java/lang/invoke/ResolvedMethodName" -> release >= 25 ? "J" : "JL";
      // They are in its context, where it has one beside its target: updates took that away.
      case "java/lang/invoke/CallSite" -> fields.equals("LL") ? "" : "JJ";
      default -> BY_CLASS.getOrDefault(name, "");
    };
  }
}
