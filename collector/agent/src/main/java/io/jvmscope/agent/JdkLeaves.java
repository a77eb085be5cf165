package io.jvmscope.agent;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.JdkIndex;
import java.util.Set;

/**
 * Which methods of a JDK are leaves, that is counted at their call sites, and which of them may
 * call back into Java. A rule about one class file; {@link JdkIndex} keeps the answers.
 */
final class JdkLeaves {
  /** Natives that are no calls to the VM: it replaces them by the call of their target. */
  private static final Set<String> POLYMORPHIC =
      Set.of("java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle");

  /** Natives of these classes never call Java, throw, or initialise a class. */
  private static final Set<String> SILENT_CLASSES =
      Set.of("java/lang/Float", "java/lang/Double", "java/lang/Math", "java/lang/StrictMath");

  private static final Set<String> SILENT_METHODS =
      Set.of(
          "java/lang/Object.getClass",
          "java/lang/Object.<init>",
          "java/lang/Object.hashCode",
          "java/lang/Thread.currentThread",
          "java/lang/Thread.currentCarrierThread",
          "java/lang/System.identityHashCode",
          "java/lang/System.nanoTime",
          "java/lang/System.currentTimeMillis",
          "java/lang/System.getSecurityManager",
          "java/lang/System.allowSecurityManager",
          "java/lang/Class.isInstance",
          "java/lang/Class.isArray",
          "java/lang/Class.isInterface",
          "java/lang/Class.isPrimitive",
          "java/lang/Class.isHidden",
          "java/lang/Class.isRecord0",
          "java/lang/Class.getModifiers",
          "java/lang/Class.getSuperclass",
          "java/lang/ref/Reference.get",
          "java/lang/ref/Reference.get0",
          "java/lang/ref/Reference.refersTo0",
          "java/lang/ref/Reference.clear0");

  private static final Set<String> CALLING_UNSAFE =
      Set.of(
          "ensureClassInitialized0",
          "ensureClassInitialized",
          "allocateInstance",
          "allocateUninitializedArray",
          "allocateUninitializedArray0",
          "defineClass",
          "defineClass0",
          "defineAnonymousClass",
          "defineAnonymousClass0",
          "shouldBeInitialized",
          "objectFieldOffset",
          "allocateMemory",
          "reallocateMemory",
          "copyMemory",
          "setMemory",
          "freeMemory",
          "invokeCleaner",
          "park",
          "throwException");

  private JdkLeaves() {}

  /** Is a method counted at its call sites? */
  static boolean isLeaf(ClassFile file, ClassFile.Method method) {
    String owner = file.name();
    if (method.isNative()) {
      return !POLYMORPHIC.contains(owner) && !owner.startsWith("jdk/internal/vm/Continuation");
    }
    if (method.code() == null || Exclusions.reason(file, method) == null) {
      return false;
    }
    return owner.equals("java/lang/Object")
        || owner.equals("jdk/internal/misc/Unsafe") && !method.name().equals("<clinit>")
        || owner.equals("java/lang/System") && !method.name().equals("<clinit>")
        || Exclusions.isReplaced(file, method);
  }

  /**
   * May native code or the VM call Java while it runs a leaf? A native that compilers do not
   * replace counts as one that does: then its caller is known while it runs.
   */
  static boolean upcalls(String owner, ClassFile.Method method) {
    if (owner.equals("jdk/internal/misc/Unsafe")) {
      return CALLING_UNSAFE.contains(method.name()) || method.name().endsWith("Unaligned");
    }
    boolean isSilent =
        SILENT_CLASSES.contains(owner) || SILENT_METHODS.contains(owner + "." + method.name());
    return !isSilent || method.isNative() && !method.isAnnotated("IntrinsicCandidate");
  }
}
