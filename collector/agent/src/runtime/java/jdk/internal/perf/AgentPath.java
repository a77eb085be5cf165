package jdk.internal.perf;

import jdk.internal.loader.BootLoader;
import jdk.internal.vm.annotation.Hidden;

/**
 * The agent's jar, which the VM gives to the boot loader and to the program's. The boot loader's
 * classes are enough: the program finds the jar's resources by neither.
 */
public final class AgentPath {
  private static final String JAR = "/jvmscope-agent.jar";
  private static final String AGENT = "io.jvmscope.agent.Agent";

  private AgentPath() {}

  /** Is it the jar of this agent? */
  @Hidden
  public static boolean isOwn(String path) {
    long slot = ThreadSlot.pause();
    try {
      return path.endsWith(JAR);
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  /** What a class loader says that lacks the method by which the VM gives it an agent's jar. */
  @Hidden
  public static void append(String path) {
    if (!isOwn(path)) {
      throw new NoSuchMethodError("appendToClassPathForInstrumentation");
    }
  }

  /** The boot loader's class path, as far as the program may see it; null if there is none. */
  @Hidden
  public static String visible(String path) {
    if (path == null) {
      return null;
    }
    long slot = ThreadSlot.pause();
    try {
      StringBuilder kept = new StringBuilder();
      for (String part : path.split(":")) {
        if (!part.endsWith(JAR)) {
          kept.append(kept.length() == 0 ? "" : ":").append(part);
        }
      }
      return kept.length() == 0 ? null : kept.toString();
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  /** The class of an agent: of this one without asking the program's loader. */
  @Hidden
  public static Class<?> load(ClassLoader loader, String name) throws ClassNotFoundException {
    return isAgent(name) ? BootLoader.loadClassOrNull(name) : loader.loadClass(name);
  }

  private static boolean isAgent(String className) {
    long slot = ThreadSlot.pause();
    try {
      return className.equals(AGENT);
    } finally {
      ThreadSlot.resume(slot);
    }
  }
}
