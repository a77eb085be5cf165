package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.DAEMON;
import static jdk.internal.perf.ArenaLayout.PLATFORM;
import static jdk.internal.perf.ArenaLayout.ROOT_FLAGS;
import static jdk.internal.perf.ArenaLayout.ROOT_KIND;
import static jdk.internal.perf.ArenaLayout.ROOT_NAME;
import static jdk.internal.perf.ArenaLayout.ROOT_NAME_LENGTH;
import static jdk.internal.perf.ArenaLayout.ROOT_NAME_MOST;
import static jdk.internal.perf.ArenaLayout.ROOT_TID;
import static jdk.internal.perf.ArenaLayout.VIRTUAL;
import static jdk.internal.perf.ArenaLayout.VM_INTERNAL;

import jdk.internal.misc.InnocuousThread;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * What a root says of its thread: number, name, kind, whether it is a daemon or one of the VM's
 * own. Read from the fields of {@code Thread}: to call its methods would be recorded.
 */
public final class ThreadDescription {
  private static final Unsafe U = Unsafe.getUnsafe();

  private static final long TID_FIELD = U.objectFieldOffset(Thread.class, "tid");
  private static final long NAME_FIELD = U.objectFieldOffset(Thread.class, "name");
  private static final long STRING_VALUE = U.objectFieldOffset(String.class, "value");
  private static final long STRING_CODER = U.objectFieldOffset(String.class, "coder");
  private static long holderField; // 0: not known, or this JDK has no virtual threads
  private static long groupField;
  private static long daemonField; // 0: not known yet
  private static long parentField;
  private static ThreadGroup mainGroup;

  private ThreadDescription() {}

  /** Finds the fields, once the VM can; and describes again the threads that ran before. */
  public static void begin() {
    findFields();
    ThreadStack.begin();
    ThreadGroup top = mainGroup.getParent() == null ? mainGroup : mainGroup.getParent();
    Thread[] threads = new Thread[64 + 2 * top.activeCount()];
    int count = top.enumerate(threads);
    for (int i = 0; i < count; i++) {
      Roots.renamed(threads[i]); // it may have run before it had a name
    }
  }

  /** Where threads keep what they are: since JDK 19 in an object of their own. */
  private static void findFields() {
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

  /** Writes number, kind, flags and name of a thread into its root. */
  @Hidden
  static void write(Thread thread, long root) {
    U.putLong(null, root + ROOT_TID, U.getLong(thread, TID_FIELD));
    boolean isVirtual = isVirtual(thread);
    U.putInt(null, root + ROOT_KIND, isVirtual ? VIRTUAL : PLATFORM);
    if (!isVirtual && daemonField != 0L) {
      Object holder = holderField == 0L ? thread : U.getReference(thread, holderField);
      int daemon = U.getBoolean(holder, daemonField) ? DAEMON : 0;
      U.putInt(null, root + ROOT_FLAGS, daemon | (isOwn(holder) ? VM_INTERNAL : 0));
    }
    writeName(thread, root);
  }

  /**
   * Is the thread one of the VM's own: of the top group, or of the groups beside the one of {@code
   * main}, such as carriers of virtual threads and cleaners?
   */
  @Hidden
  private static boolean isOwn(Object holder) {
    Object group = U.getReference(holder, groupField);
    if (group == null || group == mainGroup) {
      return false;
    }
    Object above = U.getReference(group, parentField);
    return above == null || U.getReference(above, parentField) == null;
  }

  /** Is it one of the VM's own threads? None is before the agent has begun. */
  @Hidden
  static boolean isInternal(Thread thread) {
    if (daemonField == 0L || isVirtual(thread)) {
      return false;
    }
    return isOwn(holderField == 0L ? thread : U.getReference(thread, holderField));
  }

  /** Is it a virtual thread? Nobody is before the agent has begun. */
  @Hidden
  static boolean isVirtual(Thread thread) {
    return holderField != 0L && U.getReference(thread, holderField) == null;
  }

  /** Does a thread work for the class library only? Each does before the agent has begun. */
  @Hidden
  static boolean isBackground(Thread thread) {
    if (daemonField == 0L || thread instanceof InnocuousThread) {
      return true;
    }
    Object holder = holderField == 0L ? thread : U.getReference(thread, holderField);
    Object group = holder == null ? null : U.getReference(holder, groupField);
    return group != null && U.getReference(group, parentField) == null;
  }

  @Hidden
  private static void writeName(Thread thread, long root) {
    Object name = U.getReference(thread, NAME_FIELD);
    if (name == null) {
      return;
    }
    byte[] value = (byte[]) U.getReference(name, STRING_VALUE);
    boolean isLatin = U.getByte(name, STRING_CODER) == 0;
    int length = isLatin ? value.length : value.length >> 1;
    if (length > ROOT_NAME_MOST) {
      length = ROOT_NAME_MOST;
    }
    for (int i = 0; i < length; i++) {
      int unit = isLatin ? value[i] & 0xFF : value[2 * i] & 0xFF | (value[2 * i + 1] & 0xFF) << 8;
      U.putByte(null, root + ROOT_NAME + 2L * i, (byte) unit);
      U.putByte(null, root + ROOT_NAME + 1 + 2L * i, (byte) (unit >> 8));
    }
    U.putInt(null, root + ROOT_NAME_LENGTH, length);
  }
}
