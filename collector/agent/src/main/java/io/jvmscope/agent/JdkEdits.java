package io.jvmscope.agent;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.probe.Probes;
import io.jvmscope.probe.Snippets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The changes to the JDK's own classes beyond counting: only they depend on how java.base is
 * written. Tried on JDK 17, 21 and 25. Each names what it needs; preparing a JDK in which one is
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
          "jdk/internal/module/Modules",
          "jdk/internal/reflect/Reflection",
          "jdk/internal/util/random/RandomSupport",
          "sun/instrument/InstrumentationImpl",
          "sun/security/provider/NativePRNG$RandomIO");

  /** Fields that the {@link RuntimeClasses} read by their offsets, by class. */
  static final Map<String, List<String>> FIELDS = fields(Runtime.version().feature());

  private JdkEdits() {}

  private static Map<String, List<String>> fields(int release) {
    Map<String, List<String>> fields = new HashMap<>();
    fields.put("java/lang/Class", List.of("componentType", "name"));
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
  static List<ClassEdit> of(ClassFile file, Calls calls, boolean deterministic, Probes probes) {
    List<ClassEdit> edits = of(file.name(), deterministic);
    if (probes.hasSteps()) {
      edits.addAll(ClockEdits.ofJdk(file, calls));
    }
    edits.addAll(ObjectEdits.of(file, calls, probes));
    edits.addAll(UseEdits.of(file.name(), probes));
    Snippets snippets = probes.snippets();
    if (snippets != null && file.name().equals(Calls.OBJECT)) {
      edits.add((tree, baseId) -> ObjectEdit.applySnippets(tree, snippets));
    }
    return edits;
  }

  /**
   * Must a class be prepared, since it has edits that are written for it? Those are functions,
   * whose links the VM would make in the middle of the program.
   */
  static boolean areWrittenFor(ClassFile file, Probes probes) {
    for (ClassEdit edit : of(file, Calls.THROUGH_OBJECT, true, probes)) {
      if (!(edit instanceof ClockEdits)) {
        return true;
      }
    }
    return false;
  }

  /** Those that every recording needs; of one class in this order. */
  static List<ClassEdit> of(String className, boolean deterministic) {
    List<ClassEdit> edits = new ArrayList<>(VmEdits.of(className));
    if (deterministic) {
      edits.addAll(DeterminismEdits.of(className));
    }
    edits.addAll(DisguiseEdits.of(className));
    edits.addAll(AgentEdits.of(className));
    edits.addAll(BridgeGenerator.of(className));
    return edits;
  }
}
