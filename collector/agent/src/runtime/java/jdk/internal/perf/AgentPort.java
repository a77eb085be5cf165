package jdk.internal.perf;

import jdk.internal.loader.BootLoader;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * What edited methods of the JDK tell the agent, and what they do for it alone; unrecorded, as it
 * is not the program's.
 */
public final class AgentPort {
  private static final Unsafe U = Unsafe.getUnsafe();
  private static final String AGENT = "io.jvmscope.agent.Agent";
  private static final String BEGINNING = "io.jvmscope.agent.Beginning";

  /** MethodHandleNatives.Constants.HIDDEN_CLASS. */
  private static final int HIDDEN = 2;

  private static final String CONTEXT = "java/lang/CallingContext";
  private static final String PACKAGE = "jdk/internal/perf/";

  /** How the names of the JDK's own classes in the package begin. */
  private static final String OF_JDK = PACKAGE + "Perf";

  private static final String AGENT_PACKAGES = "io/jvmscope/";

  private static CallingContext.Listener listener;
  private static Object ownInstrumentation;
  private static boolean hasBegun;
  private static boolean isThreadChanged;

  private AgentPort() {}

  /** Registers who listens, and which instrumentation is the agent's own. */
  public static void register(CallingContext.Listener agent, Object instrumentation) {
    listener = agent;
    ownInstrumentation = instrumentation;
    ModuleReads.begin();
  }

  /** Is it the name of a class of the recording, which is none of other agents' business? */
  @Hidden
  public static boolean isOwnClass(String name) {
    if (name == null) {
      return false;
    }
    long slot = ThreadSlot.pause();
    try {
      return name.startsWith(PACKAGE) && !name.startsWith(OF_JDK)
          || name.startsWith(CONTEXT)
          || name.startsWith(AGENT_PACKAGES);
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  /**
   * The class file that the VM should define for a hidden class. Other classes come the same way,
   * for which the VM asks transformers.
   */
  @Hidden
  public static byte[] hiddenClass(
      ClassLoader loader, Class<?> host, String name, byte[] bytes, int flags) {
    if (listener == null || (flags & HIDDEN) == 0) {
      return bytes;
    }
    long slot = ThreadSlot.pause();
    boolean isHeld = Carrier.hold();
    try {
      return listener.define(loader, host, name, bytes);
    } finally {
      Carrier.release(isHeld);
      ThreadSlot.resume(slot);
    }
  }

  /**
   * The VM has defined a hidden class for the current thread. Its name is not enough to know it by:
   * several may have the same. Other classes are defined the same way, which are known by name.
   */
  @Hidden
  public static void definedHidden(Class<?> type, int flags) {
    if (listener != null && (flags & HIDDEN) != 0) {
      int number = ClassWord.assign(type);
      long slot = ThreadSlot.pause();
      boolean isHeld = Carrier.hold();
      try {
        listener.defined(type, number);
      } finally {
        Carrier.release(isHeld);
        ThreadSlot.resume(slot);
      }
    }
  }

  /** A class got a number. Before the agent nobody listens: it asks later who has one. */
  @Hidden
  static void tellReceiver(Class<?> type, int number) {
    if (listener != null) {
      long slot = ThreadSlot.pause();
      boolean isHeld = Carrier.hold();
      try {
        listener.receiver(type, number);
      } finally {
        Carrier.release(isHeld);
        ThreadSlot.resume(slot);
      }
    }
  }

  /** Has the agent find the words of the objects of a class. */
  @Hidden
  static void tellWatched(Class<?> type) {
    long slot = ThreadSlot.pause();
    boolean isHeld = Carrier.hold();
    try {
      listener.watch(type);
    } finally {
      Carrier.release(isHeld);
      ThreadSlot.resume(slot);
    }
  }

  /** Has the agent find a field that is accessed in an object of a class. */
  @Hidden
  static long tellField(Class<?> type, int key) {
    long slot = ThreadSlot.pause();
    boolean isHeld = Carrier.hold();
    try {
      return listener.field(type, key);
    } finally {
      Carrier.release(isHeld);
      ThreadSlot.resume(slot);
    }
  }

  /** Has the agent find the offset of a field in an object of a class; 0 if it cannot. */
  @Hidden
  static int tellOffset(Class<?> type, int key) {
    long slot = ThreadSlot.pause();
    boolean isHeld = Carrier.hold();
    try {
      return listener.offset(type, key);
    } finally {
      Carrier.release(isHeld);
      ThreadSlot.resume(slot);
    }
  }

  /** Has the agent find the fields of a class by their offsets. */
  @Hidden
  static void tellOffsets(Class<?> type) {
    long slot = ThreadSlot.pause();
    boolean isHeld = Carrier.hold();
    try {
      listener.offsets(type);
    } finally {
      Carrier.release(isHeld);
      ThreadSlot.resume(slot);
    }
  }

  /** Classes without those of the recording, and arrays of them, unless its own agent asks. */
  @Hidden
  public static Class<?>[] visibleClasses(Class<?>[] classes, Object instrumentation) {
    if (instrumentation == ownInstrumentation) {
      return classes;
    }
    long slot = ThreadSlot.pause();
    try {
      Class<?>[] visible = new Class<?>[classes.length];
      int kept = 0;
      for (Class<?> type : classes) {
        if (!isOwnClass(type)) {
          visible[kept++] = type;
        }
      }
      Class<?>[] result = new Class<?>[kept];
      System.arraycopy(visible, 0, result, 0, kept);
      return result;
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  /** A class of that name in a loader of the program is none of the recording. */
  private static boolean isOwnClass(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    return element.getClassLoader() == null
        && isOwnClass(ClassWord.nameOf(element).replace('.', '/'));
  }

  /** The size of an object as the program should see it; arrays have no fields of ours. */
  @Hidden
  public static long visibleSize(long size, Object instrumentation, Object object) {
    if (listener == null
        || instrumentation == ownInstrumentation
        || AllocationProbe.lengthOf(object) >= 0) {
      return size;
    }
    long slot = ThreadSlot.pause();
    boolean isHeld = Carrier.hold();
    try {
      return listener.size(object, size);
    } finally {
      Carrier.release(isHeld);
      ThreadSlot.resume(slot);
    }
  }

  /**
   * What another agent is shown of a class that counts already. The VM asks agents in the order in
   * which they came, and those that are loaded into a running program come after this one.
   */
  @Hidden
  public static byte[] shown(byte[] bytes, Object to, String name) {
    if (listener == null || to == ownInstrumentation) {
      return bytes;
    }
    long slot = ThreadSlot.pause();
    boolean isHeld = Carrier.hold();
    try {
      return listener.original(name, bytes);
    } finally {
      Carrier.release(isHeld);
      ThreadSlot.resume(slot);
    }
  }

  /** What the VM gets of its answer: null as the answer leaves the counting form. */
  @Hidden
  public static byte[] changed(
      byte[] answer,
      Object by,
      Module module,
      ClassLoader loader,
      String name,
      Class<?> redefined,
      byte[] shown) {
    if (listener == null && answer != null && redefined == Thread.class) {
      isThreadChanged = true;
    }
    if (listener == null || by == ownInstrumentation) {
      return answer;
    }
    long slot = ThreadSlot.pause();
    boolean isHeld = Carrier.hold();
    try {
      if (answer != null) {
        ModuleReads.add(module);
      }
      return listener.changed(module, loader, name, redefined, shown, answer);
    } finally {
      Carrier.release(isHeld);
      ThreadSlot.resume(slot);
    }
  }

  /** Has an agent that came first changed {@code Thread}, when this one could not follow? */
  public static boolean isThreadChanged() {
    return isThreadChanged;
  }

  /** What a snippet counts under a key, for the first time; false: that could not be noted. */
  @Hidden
  static boolean tellSnippetKey(int key, int counter, Object[] values) {
    return listener.snippetKey(key, counter, values);
  }

  /** The VM is about to end, as it would have even if the agent lacks memory or stack. */
  @Hidden
  static void tellEnd() {
    if (listener != null) {
      long slot = ThreadSlot.pause();
      boolean isHeld = Carrier.hold();
      try {
        listener.ending();
      } catch (Throwable e) {
        ArenaHeader.logFailed();
      } finally {
        Carrier.release(isHeld);
        ThreadSlot.resume(slot);
      }
    }
  }

  /** A thread has executed so many bytecodes again; its tree is below a root. */
  @Hidden
  static void tellTree(long root) {
    if (listener != null) {
      long slot = ThreadSlot.pause();
      boolean isHeld = Carrier.hold();
      try {
        listener.tree(root);
      } catch (Throwable e) { // no room on the stack to report what went wrong
        TickProbe.tellEvery(Long.MAX_VALUE);
      } finally {
        Carrier.release(isHeld);
        ThreadSlot.resume(slot);
      }
    }
  }

  /**
   * Pauses when the VM works for this agent, or for one not known yet: asks it about a class, or
   * puts its jar on the class path.
   *
   * @param purpose the instrumentation that is asked, or the jar's path
   */
  @Hidden
  public static long pauseFor(Object purpose) {
    return ownInstrumentation == null || ownInstrumentation == purpose
        ? ThreadSlot.pause()
        : ThreadSlot.keep();
  }

  /**
   * Pauses when the VM starts this agent; another one's start is the program's. Before the first
   * one of those the recording begins, as far as it must before threads do.
   */
  @Hidden
  public static long pauseForAgent(String className) {
    long slot = ThreadSlot.pause();
    if (!className.equals(AGENT)) {
      begin();
      ThreadSlot.resume(slot);
    }
    return slot;
  }

  private static void begin() {
    Class<?> beginning = hasBegun ? null : BootLoader.loadClassOrNull(BEGINNING);
    hasBegun = true;
    if (beginning != null) { // else there is no agent, only a prepared JDK
      try {
        ((Runnable) U.allocateInstance(beginning)).run(); // reflection is left to the program
      } catch (InstantiationException e) {
        throw new AssertionError(e);
      }
    }
  }
}
