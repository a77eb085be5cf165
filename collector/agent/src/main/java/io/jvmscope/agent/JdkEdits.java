package io.jvmscope.agent;

import io.jvmscope.classfile.ClassFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The changes to the JDK's own classes beyond counting: only they depend on how java.base is
 * written. Tried on JDK 17 and 25. Each names what it needs; preparing a JDK in which one is
 * missing fails with that name, before any program runs.
 */
final class JdkEdits {
  /** What a JDK must have: without their edits recordings would be wrong, or differ. */
  static final List<String> NEEDED =
      List.of(
          "java/lang/Class",
          "java/lang/ClassLoader",
          "java/lang/Object",
          "java/lang/ProcessHandleImpl$Info",
          "java/lang/Shutdown",
          "java/lang/StackStreamFactory$StackFrameTraverser",
          "java/lang/StackTraceElement",
          "java/lang/Thread",
          "java/lang/invoke/MemberName",
          "java/lang/invoke/MethodHandles$Lookup",
          "java/lang/ref/Reference",
          "java/util/ImmutableCollections",
          "java/util/Random",
          "java/util/concurrent/ThreadLocalRandom",
          "jdk/internal/loader/BootLoader",
          "jdk/internal/loader/ClassLoaders",
          "jdk/internal/loader/ClassLoaders$AppClassLoader",
          "jdk/internal/misc/UnsafeConstants",
          AgentEdits.ACCESS, // of a class nested in System
          "jdk/internal/module/ModuleBootstrap",
          "jdk/internal/reflect/Reflection",
          "jdk/internal/util/random/RandomSupport",
          "sun/instrument/InstrumentationImpl",
          "sun/security/provider/NativePRNG$RandomIO");

  /** Fields that the {@link RuntimeClasses} read by their offsets, by class. */
  static final Map<String, List<String>> FIELDS = fields(Runtime.version().feature());

  private JdkEdits() {}

  private static Map<String, List<String>> fields(int release) {
    Map<String, List<String>> fields = new HashMap<>();
    fields.put("java/lang/ProcessHandleImpl$Info", List.of("arguments", "commandLine"));
    fields.put("java/lang/StackTraceElement", List.of("methodName"));
    fields.put("java/lang/String", List.of("value", "coder"));
    fields.put("java/lang/Throwable", List.of("detailMessage"));
    fields.put("java/lang/reflect/Method", List.of("modifiers", "slot"));
    fields.put("java/lang/ThreadGroup", List.of("parent"));
    if (release >= 19) { // threads keep what virtual ones have not in an object of its own
      fields.put("java/lang/Thread", List.of("tid", "name", "holder"));
      fields.put("java/lang/Thread$FieldHolder", List.of("group", "daemon", "stackSize"));
    } else {
      fields.put("java/lang/Thread", List.of("tid", "name", "group", "daemon", "stackSize"));
    }
    return fields;
  }

  /** Fails if a class lacks a field of {@link #FIELDS}. */
  static void checkFields(ClassFile file) {
    Set<String> missing = new TreeSet<>(FIELDS.getOrDefault(file.name(), List.of()));
    for (ClassFile.Field field : file.fields()) {
      missing.remove(field.name());
    }
    if (!missing.isEmpty()) {
      throw Bodies.lacks(file.name(), "the fields " + missing);
    }
  }

  /** The edits of a class; empty for most. */
  static List<ClassEdit> of(
      ClassFile file, Calls calls, boolean deterministic, boolean hasLogicalClocks) {
    List<ClassEdit> edits = of(file.name(), deterministic);
    if (hasLogicalClocks) {
      edits.addAll(ClockEdits.ofJdk(file, calls));
    }
    return edits;
  }

  /** Those that every recording needs. */
  static List<ClassEdit> of(String className, boolean deterministic) {
    List<ClassEdit> edits = new ArrayList<>();
    switch (className) {
      case "java/lang/Thread" -> {
        edits.add(ThreadEdit::apply);
        edits.add(ThreadEdit::widenStack);
        edits.add(DisguiseEdits::hideFramesOfThreads);
      }
      case "jdk/internal/misc/UnsafeConstants" -> edits.add(VmEdits::fixConstants);
      case "java/lang/Object" -> edits.add(ObjectEdit::apply);
      case "java/lang/ThreadGroup" -> edits.add(VmEdits::assumeNoAssertions);
      case "java/lang/Class" -> edits.add(VmEdits::editClass);
      case "java/lang/Shutdown" -> edits.add(VmEdits::tellOfEnd);
      case "jdk/internal/module/ModuleBootstrap" -> edits.add(DisguiseEdits::hideModuleOptions);
      case "jdk/internal/reflect/Reflection" -> {
        if (deterministic) {
          edits.add(DeterminismEdits::orderMethods);
        }
        edits.add(DisguiseEdits::hideMembers);
      }
      case "java/lang/ref/Reference" -> edits.add(DeterminismEdits::settleRaces);
      case "java/lang/ProcessHandleImpl$Info" -> edits.add(DisguiseEdits::hideCommand);
      case "sun/management/VMManagementImpl" -> edits.add(DisguiseEdits::hideOptions);
      case "java/lang/ClassLoader" -> {
        edits.add(AgentEdits::acceptPath);
        edits.add(AgentEdits::reserveStack);
      }
      case "java/lang/StackTraceElement" -> edits.add(DisguiseEdits::hideFrames);
      case "java/lang/StackStreamFactory$StackFrameTraverser" ->
          edits.add(DisguiseEdits::hideWalkedFrames);
      case "java/lang/management/ThreadInfo" -> edits.add(DisguiseEdits::hideFramesOfInfo);
      case "java/lang/invoke/MemberName" -> edits.add(DisguiseEdits::hideModifiers);
      case "java/lang/invoke/MethodHandles$Lookup" -> edits.add(DisguiseEdits::filterHandles);
      case "jdk/internal/reflect/MethodAccessorGenerator" ->
          edits.add(DisguiseEdits::filterAccessors);
      case "jdk/internal/loader/BootLoader" -> edits.add(DisguiseEdits::hidePackages);
      case "jdk/internal/loader/ClassLoaders" -> edits.add(DisguiseEdits::hideJar);
      case "sun/instrument/InstrumentationImpl" -> {
        edits.add(AgentEdits::loadFromBoot);
        edits.add(AgentEdits::pauseForAgent);
      }
      case "java/util/ImmutableCollections",
          "java/util/Random",
          "java/util/concurrent/ThreadLocalRandom",
          "jdk/internal/util/random/RandomSupport",
          "sun/security/provider/NativePRNG$RandomIO" -> {
        if (deterministic) {
          edits.add(DeterminismEdits::stopClock);
        }
      }
      case "jdk/internal/loader/ClassLoaders$AppClassLoader" ->
          edits.add(AgentEdits::pauseForClassPath);
      case BridgeGenerator.CHANNEL -> {
        edits.add(BridgeGenerator::check);
        edits.add(BridgeGenerator::addTo);
      }
      case "sun/nio/ch/FileDispatcherImpl", "sun/nio/ch/UnixFileDispatcherImpl" ->
          edits.add(BridgeGenerator::check);
      default -> {
        if (className.startsWith("java/lang/System$")) {
          edits.add(AgentEdits::seeHiddenClasses);
        }
      }
    }
    return edits;
  }
}
