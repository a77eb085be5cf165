package io.jvmscope.agent;

import io.jvmscope.classfile.ClassFile;
import java.util.Set;

/**
 * The methods whose bodies are not instrumented, each with its reason. The run lists them; where
 * their calls can be counted at the call site, {@link JdkLeaves} says so.
 */
public final class Exclusions {
  private static final String NO_THREAD = "runs before the VM has a current thread";
  private static final String OWN = "the recording itself calls it, so counting would recurse";
  private static final String REPLACED = "replaced by the VM even in its interpreter";
  private static final String SWITCHES = "the current thread changes inside its frame";
  private static final String STARTS_AGENTS = "part of the VM's interface to agents";

  /** Class initialisers that the VM runs while it makes its first thread. */
  private static final Set<String> EARLY_INITIALISERS =
      Set.of("java/lang/String", "java/lang/System", "java/lang/Class", "java/lang/Thread");

  private static final Set<String> EARLY_CLASSES =
      Set.of("java/lang/ThreadGroup", "java/lang/String$CaseInsensitiveComparator");

  private static final Set<String> MATH =
      Set.of(
          "sin(D)D",
          "cos(D)D",
          "tan(D)D",
          "exp(D)D",
          "log(D)D",
          "log10(D)D",
          "pow(DD)D",
          "sqrt(D)D",
          "abs(D)D",
          "fma(DDD)D",
          "fma(FFF)F");

  private static final int RELEASE = Runtime.version().feature();

  private Exclusions() {}

  /** Why a class of the JDK is left as it is; null if it is not. */
  public static String reason(String className) {
    if (className.equals("jdk/internal/misc/Unsafe")
        || className.equals("jdk/internal/misc/UnsafeConstants")
        || RuntimeClasses.isOwn(className)) {
      return OWN;
    }
    if (className.startsWith("sun/instrument/")) {
      return STARTS_AGENTS;
    }
    if (className.startsWith("jdk/internal/vm/Continuation")) {
      return SWITCHES;
    }
    return EARLY_CLASSES.contains(className) ? NO_THREAD : null;
  }

  /** Why a method of the JDK is left as it is; null if it is not. */
  public static String reason(ClassFile file, ClassFile.Method method) {
    String owner = file.name();
    String name = method.name();
    String whole = reason(owner);
    if (whole != null) {
      return whole;
    }
    boolean initialises = name.equals("<clinit>") || name.equals("runtimeSetup");
    if (initialises && EARLY_INITIALISERS.contains(owner)) {
      return NO_THREAD;
    }
    boolean asksForBoot = name.equals("<clinit>") || name.equals("isBooted");
    if (asksForBoot && owner.equals("jdk/internal/misc/VM") && RELEASE >= 19) {
      return NO_THREAD; // the constructor of ThreadGroup calls it
    }
    if (owner.equals("java/lang/Object") && name.equals("<init>")) {
      return "the root of every constructor: derived from its call sites";
    }
    if (owner.equals("java/lang/System")
        && name.endsWith("SecurityManager")
        && !name.startsWith("s")) {
      return NO_THREAD;
    }
    if (method.isAnnotated("ChangesCurrentThread") || method.isAnnotated("JvmtiMountTransition")) {
      return SWITCHES;
    }
    return isReplaced(owner, name, method.descriptor()) ? REPLACED : null;
  }

  /** Does the VM run something else than the method's body, in its interpreter as well? */
  static boolean isReplaced(ClassFile file, ClassFile.Method method) {
    return isReplaced(file.name(), method.name(), method.descriptor());
  }

  /**
   * The method kinds of hotspot's AbstractInterpreter, of JDK 17 to 25. Their intrinsics stay on:
   * without them the interpreter would still replace the bodies, or results would change in the
   * last bit.
   */
  private static boolean isReplaced(String owner, String name, String descriptor) {
    switch (owner) {
      case "java/lang/Math":
        return MATH.contains(name + descriptor)
            || name.equals("tanh") && RELEASE >= 24
            || name.equals("cbrt") && RELEASE >= 25;
      case "java/lang/StrictMath":
        return name.equals("sqrt");
      case "java/lang/ref/Reference":
        return name.equals("get") || name.equals("get0");
      case "java/lang/Float":
        return RELEASE >= 21 && (name.equals("float16ToFloat") || name.equals("floatToFloat16"));
      case "java/util/zip/CRC32C":
        return name.equals("updateBytes") || name.equals("updateDirectByteBuffer");
      default:
        return false;
    }
  }
}
