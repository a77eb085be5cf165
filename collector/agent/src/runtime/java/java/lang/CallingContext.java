package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The calling context tree of every thread, off the heap. Lives in java.base, because instrumented
 * java.base calls it from the VM's first Java method on.
 *
 * <p>Each thread has a <em>slot</em>, the field {@code jvmscope$slot} that the prepared
 * {@code Thread} adds: the address of a 32-bit link in the caller's node, where the callee's node is
 * found or put. A method's prologue calls {@link #enter}; a caller stores the address of its call
 * site's link before the call; the callee gives the caller's slot back when it returns.
 *
 * <p>Nodes lie in one region, the <em>arena</em>, and a link is a distance from its start in units of
 * eight bytes; so 32 GiB can be reached. Until the agent has started, the arena is plain memory;
 * then its content moves to a mapped file, which outlives the process ({@link #moveTo}). The layout
 * of the arena is in {@code schema/raw.md}; {@code io.jvmscope.dump} reads it.
 *
 * <p>On the hot path there is no allocation, no lock, no call of an instrumented method. Everything
 * here uses natives of {@code Unsafe} only, which the VM compiles to single instructions.
 */
public final class CallingContext {
  private static final Unsafe U = Unsafe.getUnsafe();

  // Header of the arena; see schema/raw.md.
  static final int MAGIC_LOW = 0x4353564A;
  static final int MAGIC_HIGH = 0x314E4557;
  static final int VERSION = 1;
  static final int STATE = 12;
  static final int EXIT_STATUS = 16;
  static final int FLAGS = 20;
  static final int TOP = 24;
  static final int LAST_ROOT = 32;
  static final int ROOT_COUNT = 40;
  static final int CLASS_COUNT = 48;
  static final int HEADER = 4096;

  /** Flags of the header: why the recording is not the whole tree. */
  static final int FOLDED = 1;

  static final int DISK_FULL = 2;
  static final int LOG_FULL = 4;
  static final int STARTED_LATE = 8;
  static final int EDGES_LOST = 16;

  // A node: its header, then counters; slots lie before it.
  static final int MID = 0;
  static final int NEXT = 4;
  static final int PARENT = 8;
  static final int PLACE = 12;
  static final int COUNTERS = 16;

  // Method ids that are no methods.
  static final int SINK = -2;
  static final int ROOT = -3;
  static final int TABLE = -4;
  static final int PROXY = -5;
  static final int RECEIVERS = -6;

  // Bits of the field that java.lang.Class gets; above them is the number of the class.
  private static final int OVERRIDES_HASH = 1;
  private static final int OVERRIDES_CLONE = 2;
  private static final int NUMBER = 2;

  private static final int FLAG_FOLDED = 1 << 16;
  /** A root's slots: what the thread runs, contexts that found no room, cells of its methods. */
  private static final int ROOT_SLOTS = 3;

  private static final int CHAIN_LIMIT = 4;
  private static final int TABLE_START = 16;
  private static final int TABLE_HEADER = 24;

  /**
   * An empty slot k holds the link EMPTY + k: it leads into a stretch of zeros, which no method id
   * equals, and tells where the slot's node is. A link from FIRST_LINK on is a child.
   */
  private static final int EMPTY = HEADER >> 3;

  private static final int SINK_START = HEADER + (65536 << 3);

  /** A node that swallows: room for the slots and counters of any method. */
  private static final int SINK_NODE = SINK_START + (65536 << 2);

  private static final int FIRST_NODE = SINK_NODE + COUNTERS + (65536 << 3);
  private static final int FIRST_LINK = FIRST_NODE >> 3;

  private static final long BOOT_BYTES = 256L << 20;
  private static final long STEP_BYTES = 16L << 20;
  private static final int ZEROS = 1 << 20;

  /** What the JDK's native returns when a signal came first: sun.nio.ch.IOStatus.INTERRUPTED. */
  private static final int INTERRUPTED = -3;

  /** Address of a slot that stands for the root of whatever thread reads it. */
  private static final long ROOT_SLOT;

  /** Source of zeros when the arena's file grows. */
  private static final long ZERO_BYTES;

  /** Address of the arena. Changes once, in {@link #moveTo}. */
  private static long base;

  private static final long bootBase;
    private static long limit; // bytes that nodes may use before they fold
  private static long slackLimit; // bytes that folded edges may use besides
  private static long end; // bytes that the arena's memory has
  private static long reserved; // bytes of the file that surely have a place on disk
  private static java.io.FileDescriptor file; // null while the arena is plain memory
  private static boolean foldsRecursion;
  private static boolean isRecording = true;

  private static final long SLOT_FIELD;
  private static final long ROOT_FIELD;
  private static final long ID_FIELD;
  private static final long NAME_FIELD;
  private static final long TID_FIELD;
  private static final long FRAME_METHOD;
  private static final long STRING_VALUE;
  private static final long STRING_CODER;
  private static long holderField; // 0: not known, or this JDK has no virtual threads
  private static long groupField;
  private static long daemonField; // 0: not known yet
  private static long parentField;
  private static Object mainGroup;

  static {
    ROOT_SLOT = U.allocateMemory(64);
    U.setMemory(ROOT_SLOT, 64, (byte) 0);
    ZERO_BYTES = U.allocateMemory(ZEROS);
    U.setMemory(ZERO_BYTES, ZEROS, (byte) 0);
    bootBase = (U.allocateMemory(BOOT_BYTES + 4096) + 4095) & -4096L;
    format(bootBase);
    base = bootBase;
    limit = BOOT_BYTES - (1 << 20);
    slackLimit = BOOT_BYTES;
    end = BOOT_BYTES;
    reserved = BOOT_BYTES;
    SLOT_FIELD = U.objectFieldOffset(Thread.class, "jvmscope$slot");
    ROOT_FIELD = U.objectFieldOffset(Thread.class, "jvmscope$root");
    ID_FIELD = U.objectFieldOffset(Class.class, "jvmscope$id");
    NAME_FIELD = U.objectFieldOffset(Thread.class, "name");
    TID_FIELD = U.objectFieldOffset(Thread.class, "tid");
    FRAME_METHOD = U.objectFieldOffset(StackTraceElement.class, "methodName");
    STRING_VALUE = U.objectFieldOffset(String.class, "value");
    STRING_CODER = U.objectFieldOffset(String.class, "coder");
  }

  private CallingContext() {}

  // ---- called by instrumented code

  /**
   * The node of a method that was just entered: the child of the caller's slot. Cost when the slot's
   * first child is it: two loads that depend on each other, one comparison.
   *
   * @param slot the thread's slot
   * @param shape counters in the upper 16 bits, slots in the lower
   */
  @ForceInline
  @Hidden
  public static long enter(Thread thread, long slot, int mid, int shape) {
    long node = base + ((U.getInt(null, slot) & 0xFFFFFFFFL) << 3);
    if (U.getInt(null, node) == mid) {
      return node;
    }
    return lookUp(thread, slot, mid, shape);
  }

  /** Adds one to the counter at a distance from a node. Not atomic: a node belongs to one thread. */
  @ForceInline
  @Hidden
  public static void count(long node, int distance) {
    U.putLong(null, node + distance, U.getLong(null, node + distance) + 1L);
  }

  /**
   * Enters the node of a native method from its caller, counts the call, and returns the slot for
   * what the method calls back.
   */
  @ForceInline
  @Hidden
  public static long enterNative(Thread thread, long slot, int mid) {
    long node = enter(thread, slot, mid, 1 << 16 | 1);
    count(node, COUNTERS);
    return node - 4;
  }

  /**
   * After a virtual call of hashCode: counts the call of Object's native if it was that.
   *
   * @param hash what the call returned
   * @param slot of the call site
   * @return the hash
   */
  @ForceInline
  @Hidden
  public static int hashed(Object receiver, int hash, Thread thread, long slot, int mid) {
    if ((U.getInt(receiver.getClass(), ID_FIELD) & OVERRIDES_HASH) == 0) {
      count(enter(thread, slot, mid, 1 << 16 | 1), COUNTERS);
    }
    return hash;
  }

  /** After a virtual call of clone: counts the call of Object's native if it was that. */
  @ForceInline
  @Hidden
  public static Object cloned(Object receiver, Object clone, Thread thread, long slot, int mid) {
    if ((U.getInt(receiver.getClass(), ID_FIELD) & OVERRIDES_CLONE) == 0) {
      count(enter(thread, slot, mid, 1 << 16 | 1), COUNTERS);
    }
    return clone;
  }

  /**
   * Said by every hashCode that is not Object's. So a class that has not said it after a call does
   * not override it; to ask by reflection would load classes.
   */
  @ForceInline
  @Hidden
  public static void overridesHash(Object receiver) {
    if ((U.getInt(receiver.getClass(), ID_FIELD) & OVERRIDES_HASH) == 0) {
      markClass(receiver.getClass(), OVERRIDES_HASH);
    }
  }

  /** Said by every clone that is not Object's. */
  @ForceInline
  @Hidden
  public static void overridesClone(Object receiver) {
    if ((U.getInt(receiver.getClass(), ID_FIELD) & OVERRIDES_CLONE) == 0) {
      markClass(receiver.getClass(), OVERRIDES_CLONE);
    }
  }

  @DontInline
  @Hidden
  private static void markClass(Class<?> type, int bit) {
    int id;
    do {
      id = U.getInt(type, ID_FIELD);
    } while (!U.compareAndSetInt(type, ID_FIELD, id, id | bit));
  }

  /** The slot that a thread has from birth; keeps one that it already has. */
  @Hidden
  public static long initialSlot(long slot) {
    return slot == 0L ? ROOT_SLOT : slot;
  }

  /** The thread is back at its root: the frames that it had are gone. */
  @Hidden
  public static void unwind(Thread thread) {
    U.putLong(thread, SLOT_FIELD, ROOT_SLOT);
  }

  /** The VM is about to end by {@code halt}; so do exit and signals. */
  @Hidden
  public static void halting(int status) {
    U.putInt(null, base + EXIT_STATUS, status);
    U.putInt(null, base + STATE, 2);
  }

  /** The VM is about to end because the last thread has. */
  @Hidden
  public static void shuttingDown() {
    if (U.getInt(null, base + STATE) == 0) {
      U.putInt(null, base + STATE, 1);
    }
  }

  // ---- probes

  /** Counts a call by the class of its receiver; the counts hang at a slot of the callee's node. */
  @ForceInline
  @Hidden
  public static void receive(Object receiver, long node, int distance) {
    int id = U.getInt(receiver.getClass(), ID_FIELD) >>> NUMBER;
    long count = base + ((U.getInt(null, node + distance) & 0xFFFFFFFFL) << 3);
    if (id == 0 || U.getInt(null, count + 24) != id) {
      count = receiverCount(receiver.getClass(), node, node + distance);
    }
    if (count != 0L) {
      count(count, 16);
    }
  }

  @DontInline
  @Hidden
  private static long receiverCount(Class<?> type, long node, long slot) {
    if (slot - base < FIRST_NODE) {
      return 0L; // the sink's
    }
    int id = numberOf(type);
    long first = U.getInt(null, slot) & 0xFFFFFFFFL;
    for (long link = first; link >= FIRST_LINK; ) {
      long count = base + (link << 3);
      if (U.getInt(null, count + 24) == id) {
        return count;
      }
      link = U.getInt(null, count + NEXT) & 0xFFFFFFFFL;
    }
    long count = allocate(32, Long.MAX_VALUE);
    if (count != 0L) {
      U.putInt(null, count + MID, RECEIVERS);
      U.putInt(null, count + PARENT, linkOf(node));
      U.putInt(null, count + 24, id);
      U.putInt(null, count + NEXT, first < FIRST_LINK ? 0 : (int) first);
      U.putIntVolatile(null, slot, linkOf(count));
    }
    return count;
  }

  /** The number of a class, from 1 on in the order in which classes first receive a call. */
  private static int numberOf(Class<?> type) {
    int known = U.getInt(type, ID_FIELD);
    if (known >>> NUMBER != 0) {
      return known >>> NUMBER;
    }
    int number;
    do {
      number = U.getInt(null, base + CLASS_COUNT) + 1;
    } while (!U.compareAndSetInt(null, base + CLASS_COUNT, number - 1, number));
    do {
      known = U.getInt(type, ID_FIELD);
      if (known >>> NUMBER != 0) {
        return known >>> NUMBER; // another thread was first
      }
    } while (!U.compareAndSetInt(type, ID_FIELD, known, known | number << NUMBER));
    Listener agent = listener;
    if (agent == null) {
      return number; // before the agent: it asks for the classes that have one
    }
    long slot = pause();
    try {
      agent.receiver(type, number);
    } finally {
      resume(slot);
    }
    return number;
  }

  /** The number that a class has; 0 if it received no call. */
  public static int receiverNumber(Class<?> type) {
    return U.getInt(type, ID_FIELD) >>> NUMBER;
  }

  /** Sees that a node leads to its thread's cells of the method, one a call site and branch. */
  @ForceInline
  @Hidden
  public static void keepOrder(Thread thread, long node, int cells) {
    if ((U.getInt(null, node - 8) & 0xFFFFFFFFL) < FIRST_LINK) {
      makeCells(thread, node, cells);
    }
  }

  @DontInline
  @Hidden
  private static void makeCells(Thread thread, long node, int cells) {
    long root = node - base < FIRST_NODE ? 0L : rootOf(thread);
    if (root == 0L) {
      return;
    }
    int mid = U.getInt(null, node + MID);
    long block = find(root - 12, mid);
    if (block == 0L) {
      block = allocate(16 + 32L * cells, Long.MAX_VALUE);
      if (block == 0L) {
        return;
      }
      U.putInt(null, block + PARENT, linkOf(root));
      U.putInt(null, block + MID, mid);
      link(root - 12, block);
    }
    U.putInt(null, node - 8, linkOf(block));
  }

  /**
   * Tells the caller's cell of the site which method was called, on which class. The node's parent is
   * the caller as long as no context folds; where one does, the dump leaves these tables out.
   */
  @DontInline
  @Hidden
  public static void succeed(Object receiver, long node) {
    int slot = U.getInt(null, node + PLACE) & 0xFFFF;
    if (node - base < FIRST_NODE || slot < 2) {
      return;
    }
    long caller = base + ((U.getInt(null, node + PARENT) & 0xFFFFFFFFL) << 3);
    long block = U.getInt(null, caller - 8) & 0xFFFFFFFFL;
    if (block < FIRST_LINK || U.getInt(null, caller + MID) < 0) {
      return;
    }
    long cell = base + (block << 3) + 16 + 32L * (slot - 2);
    int type = numberOf(receiver.getClass());
    int target = U.getInt(null, node + MID);
    count(cell, 0);
    if (U.getInt(null, cell + 24) != type) {
      count(cell, 8);
      U.putInt(null, cell + 24, type);
    }
    if (U.getInt(null, cell + 28) != target) {
      count(cell, 16);
      U.putInt(null, cell + 28, target);
    }
  }

  /** Tells a branch's cell which way it went; ways are numbered from 1. */
  @ForceInline
  @Hidden
  public static void branch(long node, int cell, int way) {
    long block = U.getInt(null, node - 8) & 0xFFFFFFFFL;
    if (block >= FIRST_LINK) {
      long at = base + (block << 3) + 16 + 32L * cell;
      count(at, 0);
      int last = U.getInt(null, at + 24);
      if (last != way) {
        U.putInt(null, at + 24, way);
        if (last != 0) {
          count(at, 8);
        }
      }
    }
  }

  // ---- called by edited methods of the JDK

  /**
   * Before the VM's own first threads start: initialises what they and main both use, unrecorded.
   * Which of them came first would differ from run to run.
   */
  @Hidden
  public static void settleRaces() {
    long slot = pause();
    U.ensureClassInitialized(jdk.internal.misc.VM.class);
    resume(slot);
  }

  /** The fields that reflection shows of a class. */
  @Hidden
  public static java.lang.reflect.Field[] visibleFields(
      Class<?> type, java.lang.reflect.Field[] fields) {
    if (type != Thread.class && type != Class.class) {
      return fields;
    }
    long slot = pause();
    try {
      java.util.ArrayList<java.lang.reflect.Field> visible = new java.util.ArrayList<>();
      for (java.lang.reflect.Field field : fields) {
        if (!field.getName().startsWith(PREFIX)) {
          visible.add(field);
        }
      }
      return visible.toArray(new java.lang.reflect.Field[0]);
    } finally {
      resume(slot);
    }
  }

  private static final String PREFIX = "jvmscope$";

  private static boolean hasPrefixed;

  /** From now on natives of some classes have a prefixed name, which the program must not see. */
  public static void hidePrefixed() {
    hasPrefixed = true;
  }

  /** The methods that reflection shows of a class. */
  @Hidden
  public static java.lang.reflect.Method[] visibleMethods(
      Class<?> type, java.lang.reflect.Method[] methods) {
    if (!hasPrefixed && type != Object.class) {
      return methods;
    }
    long slot = pause();
    try {
      java.util.ArrayList<java.lang.reflect.Method> visible = new java.util.ArrayList<>();
      for (java.lang.reflect.Method method : methods) {
        if (!method.getName().startsWith(PREFIX)) {
          visible.add(method);
        }
      }
      return visible.toArray(new java.lang.reflect.Method[0]);
    } finally {
      resume(slot);
    }
  }

  /** A stack trace without the wrappers of natives: the frame below a prefixed native is its. */
  @Hidden
  public static StackTraceElement[] visibleFrames(StackTraceElement[] frames) {
    if (!hasPrefixed) {
      return frames;
    }
    long slot = pause();
    try {
      java.util.ArrayList<StackTraceElement> visible = new java.util.ArrayList<>();
      for (int i = 0; i < frames.length; i++) {
        StackTraceElement frame = frames[i];
        if (frame.getMethodName().startsWith(PREFIX)) {
          String name = frame.getMethodName().substring(PREFIX.length());
          U.putReference(frame, FRAME_METHOD, name);
          i++;
        }
        visible.add(frame);
      }
      return visible.toArray(new StackTraceElement[0]);
    } finally {
      resume(slot);
    }
  }

  /** What the agent is told: hidden classes, which reach no transformer, and receivers. */
  public abstract static class Listener {
    /** For the agent. */
    protected Listener() {}

    /** The class file to define instead. */
    public abstract byte[] define(ClassLoader loader, Class<?> host, String name, byte[] bytes);

    /** A class received its first call. */
    public abstract void receiver(Class<?> type, int number);
  }

  private static Listener listener;

  /** The class file that the VM should define for a hidden class. */
  @Hidden
  public static byte[] hiddenClass(ClassLoader loader, Class<?> host, String name, byte[] bytes) {
    Listener agent = listener;
    if (agent == null) {
      return bytes;
    }
    long slot = pause();
    try {
      return agent.define(loader, host, name, bytes);
    } finally {
      resume(slot);
    }
  }

  /**
   * Takes what the recording added from the module options of the command line: with a patch or an
   * added module the VM would resolve the boot layer at run time, and scan the patches for packages.
   * The patches have no package of their own; java.instrument is a root module of every program
   * that is not a module itself.
   */
  @Hidden
  public static void hideModuleOptions() {
    long slot = pause();
    try {
      java.util.Properties properties = System.getProperties();
      hideOptions(properties, "jdk.module.patch.", ".jar");
      if (properties.getProperty("jdk.module.main") == null) {
        hideOptions(properties, "jdk.module.addmods.", "java.instrument");
      }
    } finally {
      resume(slot);
    }
  }

  /** No + on strings here: the VM cannot link invokedynamic yet. */
  private static void hideOptions(
      java.util.Properties properties, String prefix, String ownEnd) {
    int kept = 0;
    for (int index = 0; ; index++) {
      String value = (String) properties.remove(prefix.concat(String.valueOf(index)));
      if (value == null) {
        return;
      }
      if (!value.endsWith(ownEnd) || ownEnd.equals(".jar") && !isOwnPatch(value)) {
        properties.put(prefix.concat(String.valueOf(kept)), value);
        kept++;
      }
    }
  }

  /** Does a patch, MODULE=PATH:PATH, name prepared jars only, and no path of the program's? */
  private static boolean isOwnPatch(String patch) {
    int from = patch.indexOf('=') + 1;
    while (from <= patch.length()) {
      int end = patch.indexOf(':', from);
      String path = patch.substring(from, end < 0 ? patch.length() : end);
      if (!path.endsWith("/java.base.jar")
          && !path.endsWith("/java.instrument.jar")
          && !path.endsWith("/seeded.jar")) {
        return false;
      }
      from = end < 0 ? patch.length() + 1 : end + 1;
    }
    return true;
  }

  /** Pauses when the VM asks this agent, or one not known yet, about a class. */
  @Hidden
  public static long pauseFor(Object instrumentation) {
    if (ownInstrumentation != null && ownInstrumentation != instrumentation) {
      return U.getLong(Thread.currentThread(), SLOT_FIELD);
    }
    return pause();
  }

  private static Object ownInstrumentation;

  /** Pauses when the VM starts this agent; another one's start is the program's. */
  @Hidden
  public static long pauseForAgent(String className) {
    long slot = pause();
    if (!className.equals("io.jvmscope.agent.Agent")) {
      resume(slot);
    }
    return slot;
  }

  // ---- called by the agent

  /** Registers who listens, and which instrumentation is the agent's own. */
  public static void register(Listener agent, Object instrumentation) {
    listener = agent;
    ownInstrumentation = instrumentation;
  }

  /**
   * Moves the arena from plain memory into a mapped file, at the agent's start. What frames of this
   * moment still count in the old place is lost: those of the VM's own start of agents, and the
   * loops of the threads that the VM started before, such as the Reference Handler.
   *
   * @param bytes length of the file; it may be sparse
   * @param maxBytes bytes that nodes may use; past them contexts fold
   * @return whether the first pages have a place on disk; if not, nothing has changed
   */
  public static boolean moveTo(
      java.nio.channels.FileChannel channel,
      java.io.FileDescriptor descriptor,
      long bytes,
      long maxBytes)
      throws java.io.IOException {
    long arena = JdkBridge.map(channel, descriptor, bytes);
    long top = U.getLong(null, base + TOP);
    file = descriptor;
    reserved = 0L;
    if (!reserve(top + STEP_BYTES)) {
      file = null;
      reserved = BOOT_BYTES;
      return false;
    }
    top = U.getLong(null, base + TOP);
    U.copyMemory(null, bootBase, null, arena, top);
    base = arena;
    end = bytes;
    limit = maxBytes;
    slackLimit = maxBytes + Math.max(maxBytes >> 2, STEP_BYTES);
    U.setMemory(bootBase, top, (byte) 0);
    findThreadFields();
    for (Thread thread : JdkBridge.threads()) {
      long root = U.getLong(thread, ROOT_FIELD);
      if (root != 0L) {
        describe(thread, base + root); // it ran before it had a name
      }
    }
    return true;
  }

  /** Where threads keep what they are: since JDK 19 in an object of their own. */
  private static void findThreadFields() {
    Class<?> holder = Thread.class;
    try {
      holderField = U.objectFieldOffset(Thread.class, "holder");
      holder = Class.forName("java.lang.Thread$FieldHolder");
    } catch (InternalError | ClassNotFoundException e) {
      holderField = 0L;
    }
    groupField = U.objectFieldOffset(holder, "group");
    daemonField = U.objectFieldOffset(holder, "daemon");
    parentField = U.objectFieldOffset(ThreadGroup.class, "parent");
    mainGroup = Thread.currentThread().getThreadGroup();
  }

  /** Folds every recursive call into its nearest ancestor of the same method from now on. */
  public static void foldRecursion() {
    foldsRecursion = true;
  }

  /** Writes what a reader of the file alone must know. */
  public static void describe(int javaVersion, long pid, int probes) {
    U.putInt(null, base + 44, javaVersion);
    U.putInt(null, base + 56, probes);
    U.putLong(null, base + 64, pid);
  }

  /** The class log could not be written; classes are missing from it. */
  public static void logFailed() {
    raise(LOG_FULL);
  }

  /** Forgets what was recorded, and records nothing until {@link #start}. */
  public static void postpone() {
    isRecording = false;
    raise(STARTED_LATE);
    U.putLong(null, base + LAST_ROOT, 0L);
    U.putInt(null, base + ROOT_COUNT, 0);
  }

  /** The slot under which the method that starts the recording is entered. */
  @Hidden
  public static long start(long slot) {
    if (!isRecording) {
      U.putLong(Thread.currentThread(), ROOT_FIELD, 0L);
      isRecording = true;
    }
    long at = slot - base;
    return at >= HEADER && at < FIRST_NODE ? ROOT_SLOT : slot;
  }

  /** Takes back calls of these methods that the current thread's root has made. */
  public static void forget(int[] mids) {
    long root = U.getLong(Thread.currentThread(), ROOT_FIELD);
    if (root == 0L) {
      return;
    }
    long slot = base + root - 4;
    for (int mid : mids) {
      unlink(slot, mid);
    }
  }

  private static void unlink(long slot, int mid) {
    long link = U.getInt(null, slot) & 0xFFFFFFFFL;
    if (link < FIRST_LINK) {
      return;
    }
    long first = base + (link << 3);
    if (U.getInt(null, first + MID) == TABLE) {
      long node = findInTable(first, mid);
      if (node != 0L) {
        U.putInt(null, node + MID, SINK);
      }
      return;
    }
    long before = 0L;
    for (long at = link; at != 0L; at = U.getInt(null, base + (at << 3) + NEXT) & 0xFFFFFFFFL) {
      long node = base + (at << 3);
      if (U.getInt(null, node + MID) == mid) {
        int next = U.getInt(null, node + NEXT);
        if (before != 0L) {
          U.putInt(null, before + NEXT, next);
        } else {
          U.putInt(null, slot, next == 0 ? EMPTY : next);
        }
        return;
      }
      before = node;
    }
  }

  /** The slot of the sink: what runs below it is not recorded. */
  static long sinkSlot() {
    return base + SINK_NODE - 4;
  }

  /** Sets the current thread's slot to the sink and returns what it was. */
  @Hidden
  public static long pause() {
    Thread thread = Thread.currentThread();
    long slot = U.getLong(thread, SLOT_FIELD);
    U.putLong(thread, SLOT_FIELD, sinkSlot());
    return slot;
  }

  /** Gives the current thread the slot back that {@link #pause} returned. */
  @Hidden
  public static void resume(long slot) {
    U.putLong(Thread.currentThread(), SLOT_FIELD, slot);
  }

  // ---- slow path

  @DontInline
  @Hidden
  private static long lookUp(Thread thread, long slot, int mid, int shape) {
    long place = settle(thread, slot);
    if (place == 0L) {
      return base + SINK_NODE;
    }
    long node = find(place, mid);
    if (node == 0L) {
      node = newNode(place, mid, shape);
      if (node == 0L) {
        return base + SINK_NODE;
      }
      link(place, node);
    }
    return U.getInt(null, node + MID) == PROXY ? follow(node) : node;
  }

  /** The slot to search: the thread's root for the slot that stands for it; 0 for the sink's. */
  private static long settle(Thread thread, long slot) {
    if (slot == ROOT_SLOT) {
      long root = isRecording ? rootOf(thread) : 0L;
      return root == 0L ? 0L : root - 4;
    }
    long at = slot - base;
    long old = slot - bootBase;
    if (old >= 0 && old < BOOT_BYTES) {
      at = old; // a frame older than moveTo: the boot arena is empty since then
    }
    return at < FIRST_NODE ? 0L : base + at;
  }

  /** The node or proxy of a method among a slot's children; 0 if there is none. */
  private static long find(long slot, int mid) {
    long link = U.getInt(null, slot) & 0xFFFFFFFFL;
    while (link >= FIRST_LINK) {
      long node = base + (link << 3);
      int id = U.getInt(null, node + MID);
      if (id == TABLE) {
        return findInTable(node, mid);
      }
      if (id == mid || id == PROXY && U.getInt(null, node + 28) == mid) {
        return node;
      }
      link = U.getInt(null, node + NEXT) & 0xFFFFFFFFL;
    }
    return 0L;
  }

  /** Puts a new child first in a slot's chain; a chain that grows long becomes a table. */
  private static void link(long slot, long node) {
    long first = U.getInt(null, slot) & 0xFFFFFFFFL;
    if (first < FIRST_LINK) {
      U.putIntVolatile(null, slot, linkOf(node));
      return;
    }
    long head = base + (first << 3);
    if (U.getInt(null, head + MID) == TABLE) {
      insertGrowing(slot, head, node);
      return;
    }
    int length = 0;
    for (long at = first; at != 0L; length++) {
      at = U.getInt(null, base + (at << 3) + NEXT) & 0xFFFFFFFFL;
    }
    long table = length < CHAIN_LIMIT ? 0L : newTable(slot, TABLE_START);
    if (table == 0L) {
      U.putInt(null, node + NEXT, (int) first);
      U.putIntVolatile(null, slot, linkOf(node));
      return;
    }
    for (long at = first; at != 0L; ) {
      long child = base + (at << 3);
      insert(table, child);
      at = U.getInt(null, child + NEXT) & 0xFFFFFFFFL;
    }
    insert(table, node);
    U.putIntVolatile(null, slot, linkOf(table));
  }

  private static int linkOf(long node) {
    return (int) (node - base >>> 3);
  }

  /** Counts a call over a folded edge, and leads to the node that it folds into. */
  private static long follow(long proxy) {
    U.putLong(null, proxy + 16, U.getLong(null, proxy + 16) + 1L);
    return base + ((U.getInt(null, proxy + 24) & 0xFFFFFFFFL) << 3);
  }

  private static int idOf(long node) {
    int id = U.getInt(null, node + MID);
    return id == PROXY ? U.getInt(null, node + 28) : id;
  }

  // ---- children of a megamorphic slot: open addressing, never more than half full

  private static long findInTable(long table, int mid) {
    int mask = U.getInt(null, table + 16) - 1;
    for (int i = hash(mid) & mask; ; i = i + 1 & mask) {
      long link = U.getInt(null, table + TABLE_HEADER + 4L * i) & 0xFFFFFFFFL;
      if (link == 0L) {
        return 0L;
      }
      long node = base + (link << 3);
      if (idOf(node) == mid) {
        return node;
      }
    }
  }

  private static void insertGrowing(long slot, long table, long node) {
    int capacity = U.getInt(null, table + 16);
    int used = U.getInt(null, table + 20);
    long target = table;
    if (2 * (used + 1) > capacity) {
      target = newTable(slot, 2 * capacity);
      if (target == 0L) { // the disk is full, which the header says
        return;
      }
      for (int i = 0; i < capacity; i++) {
        long link = U.getInt(null, table + TABLE_HEADER + 4L * i) & 0xFFFFFFFFL;
        if (link != 0L) {
          insert(target, base + (link << 3));
        }
      }
    }
    insert(target, node);
    U.putIntVolatile(null, slot, linkOf(target));
  }

  private static long newTable(long slot, int capacity) {
    long parent = nodeOf(slot);
    long table = allocate(TABLE_HEADER + 4L * capacity, Long.MAX_VALUE);
    if (table != 0L) {
      U.putInt(null, table + PARENT, linkOf(parent));
      U.putInt(null, table + 16, capacity);
      U.putInt(null, table + MID, TABLE);
    }
    return table;
  }

  private static void insert(long table, long node) {
    int mask = U.getInt(null, table + 16) - 1;
    int i = hash(idOf(node)) & mask;
    while (U.getInt(null, table + TABLE_HEADER + 4L * i) != 0) {
      i = i + 1 & mask;
    }
    U.putInt(null, table + 20, U.getInt(null, table + 20) + 1);
    U.putIntVolatile(null, table + TABLE_HEADER + 4L * i, linkOf(node));
  }

  private static int hash(int mid) {
    int h = mid * 0x9E3779B9;
    return h ^ h >>> 15;
  }

  // ---- new nodes

  /** The node that holds a slot: an empty slot tells by its link, another by its first child. */
  private static long nodeOf(long slot) {
    long link = U.getInt(null, slot) & 0xFFFFFFFFL;
    if (link < FIRST_LINK) {
      return slot + 4L * (link - EMPTY + 1);
    }
    return base + ((U.getInt(null, base + (link << 3) + PARENT) & 0xFFFFFFFFL) << 3);
  }

  /** A child for a slot, not linked yet: a node, or a proxy for the one it folds into; 0 if none. */
  private static long newNode(long slot, int mid, int shape) {
    long parent = nodeOf(slot);
    if (foldsRecursion) {
      long ancestor = ancestor(parent, mid);
      if (ancestor != 0L) {
        return newProxy(parent, slot, mid, ancestor);
      }
    }
    long node = newMethodNode(parent, slot, mid, shape, limit);
    if (node != 0L || (U.getInt(null, base + FLAGS) & DISK_FULL) != 0) {
      return node;
    }
    raise(FOLDED);
    long into = ancestor(parent, mid);
    if (into == 0L) {
      into = overflowNode(parent, mid, shape);
    }
    return into == 0L ? 0L : newProxy(parent, slot, mid, into);
  }

  private static long newMethodNode(long parent, long slot, int mid, int shape, long upTo) {
    int slots = shape & 0xFFFF;
    long before = 4L * slots + 7 & -8L;
    long start = allocate(before + COUNTERS + 8L * (shape >>> 16), upTo);
    if (start == 0L) {
      return 0L;
    }
    long node = start + before;
    for (int k = 0; k < slots; k++) {
      U.putInt(null, node - 4L * (k + 1), EMPTY + k);
    }
    U.putInt(null, node + PARENT, linkOf(parent));
    U.putInt(null, node + PLACE, (int) (parent - slot >>> 2) - 1);
    U.putInt(null, node + MID, mid);
    return node;
  }

  private static long newProxy(long parent, long slot, int mid, long into) {
    long node = allocate(32, slackLimit);
    if (node == 0L) {
      raise(EDGES_LOST);
      return 0L;
    }
    U.putInt(null, node + PARENT, linkOf(parent));
    U.putInt(null, node + PLACE, (int) (parent - slot >>> 2) - 1 | FLAG_FOLDED);
    U.putInt(null, node + 24, linkOf(into));
    U.putInt(null, node + 28, mid);
    U.putInt(null, node + MID, PROXY);
    U.putInt(null, into + PLACE, U.getInt(null, into + PLACE) | FLAG_FOLDED);
    return node;
  }

  /** The nearest node of a method, from a node upwards; 0 if there is none. */
  private static long ancestor(long node, int mid) {
    for (long at = node; ; ) {
      int id = U.getInt(null, at + MID);
      if (id == mid) {
        return at;
      }
      if (id == ROOT) {
        return 0L;
      }
      at = base + ((U.getInt(null, at + PARENT) & 0xFFFFFFFFL) << 3);
    }
  }

  /** The thread's one node of a method for all contexts that found no room; in the root's slot 1. */
  private static long overflowNode(long parent, int mid, int shape) {
    long root = parent;
    while (U.getInt(null, root + MID) != ROOT) {
      root = base + ((U.getInt(null, root + PARENT) & 0xFFFFFFFFL) << 3);
    }
    long slot = root - 8;
    long node = find(slot, mid);
    if (node == 0L) {
      node = newMethodNode(root, slot, mid, shape, slackLimit);
      if (node != 0L) {
        U.putInt(null, node + PLACE, 1 | FLAG_FOLDED);
        link(slot, node);
      }
    }
    return node;
  }

  /** The root of a thread's tree, made when the thread first runs an instrumented method. */
  private static long rootOf(Thread thread) {
    long known = U.getLong(thread, ROOT_FIELD);
    if (known != 0L) {
      return base + known;
    }
    long start = allocate(16 + 48 + 2 * 256, Long.MAX_VALUE);
    if (start == 0L) {
      return 0L;
    }
    long root = start + 16;
    for (int k = 0; k < ROOT_SLOTS; k++) {
      U.putInt(null, root - 4L * (k + 1), EMPTY + k);
    }
    U.putLong(null, root + 32, U.getLong(thread, TID_FIELD));
    describe(thread, root);
    U.putInt(null, root + MID, ROOT);
    long last;
    do {
      last = U.getLong(null, base + LAST_ROOT);
      U.putLong(null, root + 16, last);
    } while (!U.compareAndSetLong(null, base + LAST_ROOT, last, root - base >>> 3));
    int order;
    do {
      order = U.getInt(null, base + ROOT_COUNT);
    } while (!U.compareAndSetInt(null, base + ROOT_COUNT, order, order + 1));
    U.putInt(null, root + 24, order);
    U.putLong(thread, ROOT_FIELD, root - base);
    return root;
  }

  private static boolean isVirtual(Thread thread) {
    return holderField != 0L && U.getReference(thread, holderField) == null;
  }

  /**
   * Kind, and whether the thread is a daemon or one of the VM's own: those of the top group and of
   * the groups beside the one of {@code main}, such as carriers of virtual threads and cleaners.
   */
  private static void describe(Thread thread, long root) {
    boolean isVirtual = isVirtual(thread);
    U.putInt(null, root + 28, isVirtual ? 1 : 0);
    Object holder = holderField == 0L ? thread : U.getReference(thread, holderField);
    if (!isVirtual && daemonField != 0L) {
      Object group = U.getReference(holder, groupField);
      boolean isOwn = group != null && group != mainGroup && isNearTop(group);
      boolean isDaemon = U.getBoolean(holder, daemonField);
      U.putInt(null, root + 44, (isOwn ? 1 : 0) | (isDaemon ? 2 : 0));
    }
    writeName(thread, root);
  }

  private static boolean isNearTop(Object group) {
    Object above = U.getReference(group, parentField);
    return above == null || U.getReference(above, parentField) == null;
  }

  /** Copies a thread's name into its root, without a call of {@code String}'s methods. */
  private static void writeName(Thread thread, long root) {
    Object name = U.getReference(thread, NAME_FIELD);
    if (name == null) {
      return;
    }
    byte[] value = (byte[]) U.getReference(name, STRING_VALUE);
    boolean isLatin = U.getByte(name, STRING_CODER) == 0;
    int length = isLatin ? value.length : value.length >> 1;
    if (length > 255) {
      length = 255;
    }
    for (int i = 0; i < length; i++) {
      int unit = isLatin ? value[i] & 0xFF : value[2 * i] & 0xFF | (value[2 * i + 1] & 0xFF) << 8;
      U.putByte(null, root + 48 + 2L * i, (byte) unit);
      U.putByte(null, root + 49 + 2L * i, (byte) (unit >> 8));
    }
    U.putInt(null, root + 40, length);
  }

  /** The thread has been made or given a name: before, an attached one may have run already. */
  @Hidden
  public static void renamed(Thread thread) {
    long root = U.getLong(thread, ROOT_FIELD);
    if (root != 0L) {
      describe(thread, base + root);
    }
  }

  // ---- memory

  /** Zeroed bytes of the arena, a multiple of eight; 0 if they would pass a limit or the disk. */
  private static long allocate(long bytes, long upTo) {
    long size = bytes + 7 & -8L;
    long top;
    do {
      top = U.getLong(null, base + TOP);
      if (top + size > upTo) {
        return 0L;
      }
      if (top + size > end) {
        raise(DISK_FULL);
        return 0L;
      }
      if (top + size > reserved && !reserve(top + size)) {
        raise(DISK_FULL);
        return 0L;
      }
    } while (!U.compareAndSetLong(null, base + TOP, top, top + size));
    return base + top;
  }

  /**
   * Writes zeros ahead of the arena's top, so that its pages have a place: a store to a mapped page
   * that finds none would kill the VM.
   */
  private static boolean reserve(long upTo) {
    if (file == null) {
      return false;
    }
    long lock = ROOT_SLOT + 32;
    while (!U.compareAndSetInt(null, lock, 0, 1)) {
      continue;
    }
    long slot = pause(); // the native constructs its exception in Java
    try {
      for (long at = reserved; at < upTo; at += STEP_BYTES) {
        if (!writeZeros(at)) {
          return false;
        }
        reserved = at + STEP_BYTES;
      }
      return true;
    } catch (Throwable e) { // an IOException that no signature declares: no space left
      return false;
    } finally {
      resume(slot);
      U.putIntVolatile(null, lock, 0);
    }
  }

  private static boolean writeZeros(long from) {
    for (long at = from; at < from + STEP_BYTES; ) {
      int written = JdkBridge.write(file, ZERO_BYTES, ZEROS, at);
      if (written < 0 && written != INTERRUPTED) {
        return false;
      }
      at += written < 0 ? 0 : written;
    }
    return true;
  }

  private static void raise(int flag) {
    int flags;
    do {
      flags = U.getInt(null, base + FLAGS);
    } while ((flags & flag) == 0 && !U.compareAndSetInt(null, base + FLAGS, flags, flags | flag));
  }

  private static void format(long arena) {
    U.setMemory(arena, FIRST_NODE, (byte) 0);
    U.putInt(null, arena, MAGIC_LOW);
    U.putInt(null, arena + 4, MAGIC_HIGH);
    U.putInt(null, arena + 8, VERSION);
    U.putInt(null, arena + SINK_NODE, SINK);
    U.putLong(null, arena + TOP, FIRST_NODE);
  }
}
