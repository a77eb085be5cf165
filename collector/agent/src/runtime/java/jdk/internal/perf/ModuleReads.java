package jdk.internal.perf;

import jdk.internal.loader.BootLoader;
import jdk.internal.loader.ClassLoaders;
import jdk.internal.misc.VM;
import jdk.internal.module.Modules;
import jdk.internal.vm.annotation.Hidden;

/**
 * What modules read. When an agent changes a class of a named module, the VM has the module read
 * the unnamed modules of the boot loader and of the program, where classes of the agent may be. The
 * code that this agent inserts needs only java.base, and the program would see the difference. So
 * modules read them only if another agent changes one of their classes.
 */
public final class ModuleReads {
  private static final String OWN_LIBRARY = "libjvmscope-native.so";

  private static boolean isOwnAlone;

  private ModuleReads() {}

  /** From now on classes may be changed by this agent only; native ones do not say what they do. */
  static void begin() {
    boolean isAlone = true;
    for (String argument : VM.getRuntimeArguments()) {
      boolean isNative = argument.startsWith("-agentlib:") || argument.startsWith("-agentpath:");
      isAlone &= !isNative || argument.contains(OWN_LIBRARY);
    }
    isOwnAlone = isAlone;
  }

  /** Does the VM have a module read the unnamed ones for this agent alone? */
  @Hidden
  public static boolean areUnwanted() {
    return isOwnAlone;
  }

  /** Another agent has changed a class of a module; the recording has paused. */
  @Hidden
  static void add(Module module) {
    if (isOwnAlone && module != null && module.isNamed()) {
      Modules.addReads(module, BootLoader.getUnnamedModule());
      Modules.addReads(module, ClassLoaders.appClassLoader().getUnnamedModule());
    }
  }
}
