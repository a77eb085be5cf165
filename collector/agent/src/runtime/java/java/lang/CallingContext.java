package java.lang;

import static jdk.internal.perf.ArenaLayout.COUNTERS;
import static jdk.internal.perf.ArenaLayout.FIRST_LINK;
import static jdk.internal.perf.ArenaLayout.SINK_NODE;

import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.channels.FileChannel;
import jdk.internal.misc.Unsafe;
import jdk.internal.misc.VM;
import jdk.internal.perf.AgentPath;
import jdk.internal.perf.AgentPort;
import jdk.internal.perf.Arena;
import jdk.internal.perf.ArenaHeader;
import jdk.internal.perf.Children;
import jdk.internal.perf.ClassWord;
import jdk.internal.perf.CommandLine;
import jdk.internal.perf.Disguise;
import jdk.internal.perf.DisguisedFrames;
import jdk.internal.perf.Folding;
import jdk.internal.perf.FrameRoots;
import jdk.internal.perf.LentHashes;
import jdk.internal.perf.LifetimeLog;
import jdk.internal.perf.LifetimeProbe;
import jdk.internal.perf.ModuleReads;
import jdk.internal.perf.NativePort;
import jdk.internal.perf.NewNodes;
import jdk.internal.perf.ObjectNumbers;
import jdk.internal.perf.ObjectUse;
import jdk.internal.perf.QuietFiles;
import jdk.internal.perf.Roots;
import jdk.internal.perf.Shadows;
import jdk.internal.perf.SnippetProbe;
import jdk.internal.perf.SpinLock;
import jdk.internal.perf.StandIns;
import jdk.internal.perf.ThreadDescription;
import jdk.internal.perf.ThreadSlot;
import jdk.internal.perf.ThreadStack;
import jdk.internal.perf.TickProbe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The calling context tree of every thread, off the heap. Lives in java.base, because instrumented
 * java.base calls it from the VM's first Java method on. Its parts are in {@code
 * jdk.internal.perf}, a package of java.base that no program can name; here is what instrumented
 * code calls, and, below, what the agent may ask for.
 *
 * <p>Each thread has a <em>slot</em>, the field {@code jvmscope$slot} that the prepared {@code
 * Thread} adds: the address of a 32-bit link in the caller's node, where the callee's node is found
 * or put. A method's prologue calls {@link #enter}; a caller stores the address of its call site's
 * link before the call; the callee gives the caller's slot back when it returns.
 *
 * <p>On the hot path there is no allocation, no lock, no call of an instrumented method. Everything
 * here uses natives of {@code Unsafe} only, which the VM compiles to single instructions.
 */
public final class CallingContext {
  private static final Unsafe U = Unsafe.getUnsafe();

  /** The shape of a native method's node: one counter, one slot. */
  private static final int NATIVE = 1 << 16 | 1;

  // The VM loads and initialises the parts now: later, that would be an event of the program's.
  static {
    U.ensureClassInitialized(SpinLock.class);
    U.ensureClassInitialized(Arena.class);
    U.ensureClassInitialized(ArenaHeader.class);
    U.ensureClassInitialized(ThreadSlot.class);
    U.ensureClassInitialized(NativePort.class);
    U.ensureClassInitialized(ThreadStack.class);
    U.ensureClassInitialized(Roots.class);
    U.ensureClassInitialized(ThreadDescription.class);
    U.ensureClassInitialized(Children.class);
    U.ensureClassInitialized(NewNodes.class);
    U.ensureClassInitialized(Folding.class);
    U.ensureClassInitialized(ClassWord.class);
    U.ensureClassInitialized(Disguise.class);
    U.ensureClassInitialized(DisguisedFrames.class);
    U.ensureClassInitialized(AgentPort.class);
    U.ensureClassInitialized(ModuleReads.class);
    U.ensureClassInitialized(Shadows.class);
    U.ensureClassInitialized(FrameRoots.class);
    U.ensureClassInitialized(LifetimeLog.class);
    U.ensureClassInitialized(LifetimeProbe.class);
    U.ensureClassInitialized(ObjectNumbers.class);
  }

  private CallingContext() {}

  // ---- called by instrumented code

  /**
   * The node of a method that was just entered: the child of the caller's slot. Cost when the
   * slot's first child is it: two loads that depend on each other, one comparison.
   *
   * @param slot the thread's slot
   * @param shape counters in the upper 16 bits, slots in the lower
   */
  @ForceInline
  @Hidden
  public static long enter(Thread thread, long slot, int mid, int shape) {
    long node = Arena.base + ((U.getInt(null, slot) & 0xFFFFFFFFL) << 3);
    if (U.getInt(null, node) == mid) {
      return node;
    }
    return lookUp(thread, slot, mid, shape);
  }

  @DontInline
  @Hidden
  private static long lookUp(Thread thread, long slot, int mid, int shape) {
    long place = Roots.settle(thread, slot);
    if (place == 0L) {
      return Arena.base + SINK_NODE;
    }
    long child = Children.find(place, mid);
    if (child == 0L) {
      child = NewNodes.make(place, mid, shape);
      if (child == 0L) {
        return Arena.base + SINK_NODE;
      }
      Children.link(place, child);
    }
    return Folding.target(child);
  }

  /**
   * Adds one to the counter at a distance from a node. Not atomic: a node belongs to one thread.
   */
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
    long node = enter(thread, slot, mid, NATIVE);
    count(node, COUNTERS);
    return node - 4;
  }

  /**
   * The same for a native that is called on an object: without one there is no call, and what the
   * VM does about that is the caller's.
   *
   * @param own the slot for what is the caller's
   */
  @ForceInline
  @Hidden
  public static long enterNativeOf(Object receiver, Thread thread, long own, long slot, int mid) {
    return receiver == null ? own : enterNative(thread, slot, mid);
  }

  /**
   * After a virtual call of hashCode: counts the call of Object's native if it was that, which may
   * have returned a code that is only lent.
   *
   * @param hash what the call returned
   * @param slot of the call site
   * @return the hash that the program sees
   */
  @ForceInline
  @Hidden
  public static int hashed(Object receiver, int hash, Thread thread, long slot, int mid) {
    if (ClassWord.doesOverrideHash(receiver)) {
      return hash;
    }
    count(enter(thread, slot, mid, NATIVE), COUNTERS);
    return LentHashes.seenHash(receiver, hash);
  }

  /** After a virtual call of clone: counts the call of Object's native if it was that. */
  @ForceInline
  @Hidden
  public static Object cloned(Object receiver, Object clone, Thread thread, long slot, int mid) {
    if (!ClassWord.doesOverrideClone(receiver)) {
      count(enter(thread, slot, mid, NATIVE), COUNTERS);
    }
    return clone;
  }

  /** After a call that may have reached a leaf: counts it if so. */
  @ForceInline
  @Hidden
  public static void reached(Thread thread, long slot, int mid) {
    if (StandIns.isReached(thread, slot)) {
      count(enter(thread, slot, mid, NATIVE), COUNTERS);
    }
  }

  // ---- called by java.instrument, which cannot name the parts

  /** Pauses when the VM works for this agent, or for one not known yet. */
  @Hidden
  public static long pauseFor(Object purpose) {
    return AgentPort.pauseFor(purpose);
  }

  /** Is a class of the recording, about which no agent is asked? */
  @Hidden
  public static boolean isOwnClass(String name) {
    return AgentPort.isOwnClass(name);
  }

  /** What an agent is asked to transform: the program's class file, if it is another agent. */
  @Hidden
  public static byte[] shown(byte[] bytes, Object to, String name) {
    return AgentPort.shown(bytes, to, name);
  }

  /** What the VM gets of an agent's answer: the counting form, if another one changed a class. */
  @Hidden
  public static byte[] changed(
      byte[] answer,
      Object by,
      Module module,
      ClassLoader loader,
      String name,
      Class<?> redefined,
      byte[] shown) {
    return AgentPort.changed(answer, by, module, loader, name, redefined, shown);
  }

  /** Pauses when the VM starts this agent; another one's start is the program's. */
  @Hidden
  public static long pauseForAgent(String className) {
    return AgentPort.pauseForAgent(className);
  }

  /** Gives the current thread the slot back that a pause returned. */
  @Hidden
  public static void resume(long slot) {
    ThreadSlot.resume(slot);
  }

  /** The class of an agent. */
  @Hidden
  public static Class<?> loadAgent(ClassLoader loader, String name) throws ClassNotFoundException {
    return AgentPath.load(loader, name);
  }

  // ---- called by java.management, which cannot name them either

  /** A stack trace without the methods that call natives for the program. */
  @Hidden
  public static StackTraceElement[] visibleFrames(StackTraceElement[] frames) {
    return DisguisedFrames.visibleFrames(frames);
  }

  /** The VM's options without those that the recording added. */
  @Hidden
  public static String[] visibleOptions(String[] options) {
    return CommandLine.visible(options);
  }

  /** The classes that an agent's instrumentation lists, as the program should see them. */
  @Hidden
  public static Class<?>[] visibleClasses(Class<?>[] classes, Object instrumentation) {
    return AgentPort.visibleClasses(classes, instrumentation);
  }

  /** The size of an object as the program should see it, whose instrumentation asked. */
  @Hidden
  public static long visibleSize(long size, Object instrumentation, Object object) {
    return AgentPort.visibleSize(size, instrumentation, object);
  }

  // ---- called by the agent, which cannot name them either

  /** What the agent is told: hidden classes, which reach no transformer, receivers, the end. */
  public abstract static class Listener {
    /** For the agent. */
    protected Listener() {}

    /** The class file to define instead. */
    public abstract byte[] define(ClassLoader loader, Class<?> host, String name, byte[] bytes);

    /** The VM has defined what the current thread asked for last; it has a number now. */
    public abstract void defined(Class<?> type, int number);

    /** A class received its first call. */
    public abstract void receiver(Class<?> type, int number);

    /** An object is there of a class of which nobody said where its words are. */
    public abstract void watch(Class<?> type);

    /** A field is accessed of which nobody said where its word is; {@link Shadows#entry}. */
    public abstract long field(Class<?> type, int key);

    /** A field of a class is accessed by its offset; {@link Shadows#entryAt}. */
    public abstract void offsets(Class<?> type);

    /** The offset in objects of the field of a key, as {@link #field}; 0 if there is none. */
    public abstract int offset(Class<?> type, int key);

    /** The size of an object without the recording; {@code size} is the one with it. */
    public abstract long size(Object object, long size);

    /** The class file of the program for what is its counting form, to show another agent. */
    public abstract byte[] original(String name, byte[] bytes);

    /** The counting form of what another agent made of what it was shown; null: it answered so. */
    public abstract byte[] changed(
        Module module,
        ClassLoader loader,
        String name,
        Class<?> redefined,
        byte[] shown,
        byte[] bytes);

    /** The current thread has executed so many bytecodes again. */
    public abstract void tree(long root);

    /** What snippets count under a key; false: that could not be noted. */
    public abstract boolean snippetKey(int key, int counter, Object[] values);

    /** The VM is about to end; threads of the program may still run. */
    public abstract void ending();
  }

  /** See {@link AgentPort#isThreadChanged}. */
  public static boolean isThreadChanged() {
    return AgentPort.isThreadChanged();
  }

  /** Registers who listens, and which instrumentation is the agent's own. */
  public static void register(Listener agent, Object instrumentation) {
    AgentPort.register(agent, instrumentation);
  }

  /**
   * Moves the trees into a mapped file.
   *
   * @param bytes length of the file; it may be sparse
   * @param maxBytes bytes that nodes may use; past them contexts fold
   * @return whether the first pages have a place on disk; if not, nothing has changed
   */
  public static boolean moveTo(
      FileChannel channel, FileDescriptor descriptor, long bytes, long maxBytes)
      throws IOException {
    boolean isMoved = Arena.moveTo(channel, descriptor, bytes, maxBytes);
    if (isMoved) {
      ThreadDescription.begin();
    }
    return isMoved;
  }

  /** Writes bytes to a file at an offset; flight recordings have no event of it. */
  public static void write(FileDescriptor file, byte[] bytes, long offset) throws IOException {
    QuietFiles.write(file, bytes, offset);
  }

  /** Fills an array with the bytes of a file from an offset, likewise. */
  public static void read(FileDescriptor file, byte[] bytes, long offset) throws IOException {
    QuietFiles.read(file, bytes, offset);
  }

  /** Writes what a reader of the file alone must know. */
  public static void describe(int javaVersion, long pid, int probes) {
    ArenaHeader.describe(javaVersion, pid, probes);
  }

  /** The options that the VM was started with, whoever gave them. */
  public static String[] runtimeArguments() {
    return VM.getRuntimeArguments();
  }

  /** Writes how the VM lays out objects. */
  public static void describeObjects(
      int alignment, int arrayBase, int referenceBytes, int contendedPadding, int flags) {
    ArenaHeader.describeObjects(alignment, arrayBase, referenceBytes, contendedPadding, flags);
  }

  /** The class log could not be written; classes are missing from it. */
  public static void logFailed() {
    ArenaHeader.logFailed();
  }

  /** Folds every recursive call into its nearest ancestor of the same method from now on. */
  public static void foldRecursion() {
    Folding.foldRecursion();
  }

  /** Forgets what was recorded, and records nothing until the method that starts the recording. */
  public static void postpone() {
    Roots.postpone();
  }

  /** Is what the current thread does the recording's own work? See {@link ThreadSlot#isOwnWork}. */
  @Hidden
  public static boolean isOwnWork() {
    return ThreadSlot.isOwnWork();
  }

  /** What the program is to see of its command line: see {@link CommandLine#show}. */
  public static void showCommand(long pid, String[] words, String[] added) {
    CommandLine.show(pid, words, added);
  }

  /** The size of the stacks of threads that name none, in bytes; 0: the VM's. */
  public static void setDefaultStack(long size) {
    ThreadStack.setDefault(size);
  }

  /** From now on natives of some classes have a prefixed name, which the program must not see. */
  public static void hidePrefixed() {
    DisguisedFrames.hidePrefixed();
  }

  /** Tells the listener of a thread's tree whenever it has executed so many bytecodes again. */
  public static void tellEvery(long bytecodes) {
    TickProbe.tellEvery(bytecodes);
  }

  /** Says what snippets count in: see {@link SnippetProbe#ready}. */
  public static void readySnippets(String[] counters, String[] kinds) {
    SnippetProbe.ready(counters, kinds);
  }

  /** Begins to run snippets. */
  public static void runSnippets() {
    SnippetProbe.run();
  }

  /** Does the guard of a snippet want it at a place? */
  public static boolean allowsSnippet(
      int snippet,
      String className,
      String method,
      String descriptor,
      String target,
      String opcode,
      boolean isJdk) {
    return SnippetProbe.allows(snippet, className, method, descriptor, target, opcode, isJdk);
  }

  /** The number at an address in the arena. */
  public static int intAt(long address) {
    return U.getInt(null, address);
  }

  /** The number at an address in the arena. */
  public static long longAt(long address) {
    return U.getLong(null, address);
  }

  /** The address that the link at an address leads to; 0 if that is empty. */
  public static long linked(long address) {
    long link = U.getInt(null, address) & 0xFFFFFFFFL;
    return link < FIRST_LINK ? 0L : Arena.base + (link << 3);
  }

  /** Tells whether a class's initialisation has begun. */
  public static boolean isInitialized(Class<?> type) {
    return !U.shouldBeInitialized(type);
  }

  /** The number under which a class's calls as a receiver are counted; 0 if it received none. */
  public static int receiverNumber(Class<?> type) {
    return ClassWord.number(type);
  }

  /** Begins to watch objects: see {@link Shadows#open}. */
  public static void watchObjects() {
    Shadows.open();
  }

  /** Notes the objects of a class that were made before: see {@link Shadows#noteEarly}. */
  public static void noteEarly(Class<?> type) {
    Shadows.noteEarly(type);
  }

  /** Begins to follow the use of objects: see {@link ObjectUse#open}. */
  public static void followUse(boolean lendsHashes) {
    ObjectUse.open(lendsHashes);
  }

  /** Makes room for keys of fields: see {@link Shadows#grow}. */
  public static boolean watchFields(int keys) {
    LifetimeProbe.grow(keys);
    return Shadows.grow(keys);
  }

  /** What {@code getName} returns: see {@link ClassWord#nameOf}. */
  public static String nameOf(Class<?> type) {
    return ClassWord.nameOf(type);
  }

  /** Begins to follow references: see {@link LifetimeProbe#open}. */
  public static boolean followReferences(FileChannel channel, FileDescriptor file, int keys)
      throws IOException {
    return LifetimeProbe.open(channel, file, keys);
  }

  /** Where objects have a word: see {@link Shadows#offset}. */
  public static int fieldOffset(Class<?> type, String name) {
    return Shadows.offset(type, name);
  }

  /** Watches the objects of a class: see {@link Shadows#watch}. */
  public static void watch(
      Class<?> type, int birth, int counts, int[] offsets, int firstMethod, int endMethod) {
    Shadows.watch(type, birth, counts, offsets, firstMethod, endMethod);
  }

  /** The methods of a class have other numbers: see {@link Shadows#renumber}. */
  public static void renumber(Class<?> type, int firstMethod, int endMethod) {
    Shadows.renumber(type, firstMethod, endMethod);
  }

  /** Tells what is at the offsets of a class: see {@link Shadows#mapOffsets}. */
  public static void mapOffsets(Class<?> type, int[] offsets, long[] entries) {
    Shadows.mapOffsets(type, offsets, entries);
  }

  /** Watches a field: see {@link Shadows#watchField}. */
  public static int watchField(Class<?> type, int index) {
    return Shadows.watchField(type, index);
  }
}
