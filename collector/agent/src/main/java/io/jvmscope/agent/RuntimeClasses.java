package io.jvmscope.agent;

import io.jvmscope.probe.Probes;
import io.jvmscope.probe.RuntimeMethod;
import io.jvmscope.probe.Snippets;
import java.util.ArrayList;
import java.util.List;

/**
 * The classes that the recording adds to java.base. {@code CallingContext} is in a package that the
 * agent and java.instrument can name, its parts are in one that nobody outside can. No package is
 * new, which would have the VM make the boot layer anew.
 */
final class RuntimeClasses {
  static final String PACKAGE = "jdk/internal/perf/";

  static final String CONTEXT = "java/lang/CallingContext";
  static final String LISTENER = CONTEXT + "$Listener";
  static final String AGENT_PORT = PACKAGE + "AgentPort";
  static final String AGENT_PATH = PACKAGE + "AgentPath";
  static final String ARENA_HEADER = PACKAGE + "ArenaHeader";
  static final String CLASS_WORD = PACKAGE + "ClassWord";
  static final String CLOCK_HANDLES = PACKAGE + "ClockHandles";
  static final String CLOCK_MESSAGES = PACKAGE + "ClockMessages";
  static final String CLOCK_WAITS = PACKAGE + "ClockWaits";
  static final String DISGUISE = PACKAGE + "Disguise";
  static final String LOGICAL_CLOCK = PACKAGE + "LogicalClock";
  static final String COMMAND_LINE = PACKAGE + "CommandLine";
  static final String DISGUISED_FRAMES = PACKAGE + "DisguisedFrames";
  static final String METHOD_ORDER = PACKAGE + "MethodOrder";
  static final String MODULE_OPTIONS = PACKAGE + "ModuleOptions";
  static final String MODULE_READS = PACKAGE + "ModuleReads";
  static final String ROOTS = PACKAGE + "Roots";
  static final String STAND_INS = PACKAGE + "StandIns";
  static final String THREAD_SLOT = PACKAGE + "ThreadSlot";
  static final String THREAD_STACK = PACKAGE + "ThreadStack";

  /** Generated for each JDK, unlike the others. */
  static final String BRIDGE = PACKAGE + "JdkBridge";

  private static final List<String> ALWAYS =
      List.of(
          CONTEXT,
          LISTENER,
          AGENT_PATH,
          AGENT_PORT,
          PACKAGE + "Arena",
          ARENA_HEADER,
          PACKAGE + "ArenaLayout",
          PACKAGE + "Carrier",
          PACKAGE + "ChildTable",
          PACKAGE + "Children",
          CLASS_WORD,
          CLOCK_HANDLES,
          CLOCK_MESSAGES,
          PACKAGE + "ClockPermits",
          CLOCK_WAITS,
          COMMAND_LINE,
          COMMAND_LINE + "$Fields",
          DISGUISE,
          DISGUISED_FRAMES,
          DISGUISED_FRAMES + "$WalkedFrames",
          PACKAGE + "Folding",
          PACKAGE + "FrameRoots",
          PACKAGE + "LentHashes",
          PACKAGE + "LifetimeLayout",
          PACKAGE + "LifetimeLog",
          LOGICAL_CLOCK,
          PACKAGE + "LogPacker",
          METHOD_ORDER,
          MODULE_OPTIONS,
          MODULE_READS,
          PACKAGE + "NativePort",
          PACKAGE + "NewNodes",
          PACKAGE + "Nodes",
          PACKAGE + "ObjectNumbers",
          PACKAGE + "ObjectUse",
          PACKAGE + "QuietFiles",
          ROOTS,
          PACKAGE + "ScopedValues",
          PACKAGE + "Shadows",
          PACKAGE + "SideWords",
          PACKAGE + "SideWords$Entry",
          PACKAGE + "SnippetContext",
          PACKAGE + "SnippetContextState",
          PACKAGE + "SnippetCounter",
          PACKAGE + "SnippetKeys",
          PACKAGE + "SnippetKeys$Key",
          PACKAGE + "SnippetProbe",
          PACKAGE + "SnippetSite",
          PACKAGE + "SnippetThreadState",
          PACKAGE + "SpinLock",
          STAND_INS,
          PACKAGE + "ThreadDescription",
          THREAD_SLOT,
          THREAD_STACK);

  /** Those whose class files are resources of the agent, {@code /runtime/NAME.class}. */
  static final List<String> COMPILED = withProbes();

  private RuntimeClasses() {}

  /**
   * Has the VM load them all. It asks the transformers of other agents about each class, which run
   * with the recording on: later that could come while one of these has a lock.
   */
  static void load() {
    for (String name : COMPILED) {
      try {
        Class.forName(name.replace('/', '.'), false, null);
      } catch (ClassNotFoundException e) {
        throw new NoClassDefFoundError(name);
      }
    }
  }

  private static List<String> withProbes() {
    List<String> names = new ArrayList<>(ALWAYS);
    for (RuntimeMethod method : Probes.runtimeMethods()) {
      if (!names.contains(method.owner())) {
        names.add(method.owner());
      }
    }
    return names;
  }

  /** Is it one of these classes, which must not count themselves? */
  static boolean isOwn(String className) {
    return className.startsWith(CONTEXT)
        || className.startsWith(PACKAGE)
            && (COMPILED.contains(className)
                || className.equals(BRIDGE)
                || className.equals(Snippets.CALLS)
                || className.startsWith(Snippets.CLASSES));
  }
}
