package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.BLOCK_ENTRIES;
import static jdk.internal.perf.ArenaLayout.DEEPEST;
import static jdk.internal.perf.ArenaLayout.DEPTHS;
import static jdk.internal.perf.ArenaLayout.LOCKED_OBJECTS;
import static jdk.internal.perf.ArenaLayout.LOCK_OFFSET;
import static jdk.internal.perf.ArenaLayout.METHOD_ENTRIES;
import static jdk.internal.perf.ArenaLayout.NESTED_ENTRIES;
import static jdk.internal.perf.ArenaLayout.NESTED_OBJECTS;
import static jdk.internal.perf.ArenaLayout.NOTIFICATIONS;
import static jdk.internal.perf.ArenaLayout.SEVERAL_LOCKERS;
import static jdk.internal.perf.ArenaLayout.WAITS;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Follows monitors. Each thread has a stack of the objects whose monitors it holds, in its own
 * fields: so many times as an object is in there, so deep is its lock nested, which the stack knows
 * at each place. A wait, which releases a monitor and takes it again as often as it was held,
 * changes nothing in there; nor does it count where code that is not followed took the monitor.
 *
 * <p>An object has a word: the operations on its monitor in the lowest 32 bits, the deepest nesting
 * in the next 7, and above them the number of the thread that locks it, or that there are several.
 *
 * <p>Entries that had to wait for another thread are those that the VM tells the library in {@code
 * collector/native} of, if it is there: {@link #contended}.
 */
public final class LockProbe {
  private static final Unsafe U = Unsafe.getUnsafe();
  private static final long HELD = U.objectFieldOffset(Thread.class, "jvmscope$held");
  private static final long HELD_DEPTHS = U.objectFieldOffset(Thread.class, "jvmscope$heldDepths");
  private static final long HELD_COUNT = U.objectFieldOffset(Thread.class, "jvmscope$heldCount");

  /** Where the thread last went to enter the monitor of a block; 0: that has been counted. */
  private static final long ENTERED_NODE =
      U.objectFieldOffset(Thread.class, "jvmscope$enteredNode");

  private static final long ENTERED_SLOT =
      U.objectFieldOffset(Thread.class, "jvmscope$enteredSlot");

  /** What a thread had to wait for at the beginning of a synchronized method. */
  private static final long BLOCKED = U.objectFieldOffset(Thread.class, "jvmscope$blocked");

  private static final long OPERATIONS = 0xFFFFFFFFL;
  private static final int DEPTH = 32;
  private static final long DEPTH_BITS = 0x7FL;
  private static final int LOCKER = 39;

  private static final int INITIAL = 16;

  /** On a stack with more than these, it is worth asking an object whether it was ever locked. */
  private static final int FEW = 32;

  /** In the place of a count: there was no memory for the stack of a thread. */
  private static final int LOST = -1;

  /** On a stack: a synchronized method has the monitor that follows. */
  private static final Object METHOD = new Object();

  /** The library sets it once the VM tells it of threads that wait for monitors. */
  static boolean listens;

  private LockProbe() {}

  /** An object was cloned. */
  @Hidden
  public static Object copiedLock(Object original, Object clone) {
    ObjectUse.copied(original, clone, LOCK_OFFSET);
    return clone;
  }

  /**
   * A monitor is about to be entered.
   *
   * @param distance from the node to the slot of the place's contended entries
   */
  @ForceInline
  @Hidden
  public static void enterBlock(Object object, Thread thread, long node, int distance) {
    if (object != null && ObjectUse.isFollowed(node)) {
      enter(object, thread, false);
      U.putReference(thread, BLOCKED, null);
      U.putInt(thread, ENTERED_SLOT, distance);
      U.putLong(thread, ENTERED_NODE, node);
    }
  }

  /**
   * A synchronized method begins, with the monitor; null: of a class that cannot name itself.
   *
   * @param distance from the node to the slot of its contended entries
   */
  @ForceInline
  @Hidden
  public static void enterMethod(Object object, Thread thread, long node, int distance) {
    if (object != null && ObjectUse.isFollowed(node)) {
      enter(object, thread, true);
      Object blocked = U.getReference(thread, BLOCKED);
      if (blocked != null) {
        U.putReference(thread, BLOCKED, null);
        if (blocked == object) {
          countContended(object, node, distance);
        }
      }
    }
  }

  /**
   * The current thread finds in bytecode that another one has a monitor, and is about to wait for
   * it. That of a block was named just before; that of a synchronized method, whose node is not
   * known yet, counts when the method begins.
   *
   * @param mayBegin is the thread at the beginning of a synchronized method?
   */
  @Hidden
  static void contended(Object object, boolean mayBegin) {
    Thread thread = Thread.currentThread();
    int count = U.getInt(thread, HELD_COUNT);
    if (count == LOST || ThreadSlot.isPaused()) {
      return;
    }
    long node = U.getLong(thread, ENTERED_NODE);
    if (node != 0L && count > 0 && ((Object[]) U.getReference(thread, HELD))[count - 1] == object) {
      U.putLong(thread, ENTERED_NODE, 0L);
      countContended(object, node, U.getInt(thread, ENTERED_SLOT));
    } else if (mayBegin) {
      U.putReference(thread, BLOCKED, object);
    }
  }

  /** The class may need a number, which the recording writes down. */
  @DontInline
  @Hidden
  private static void countContended(Object object, long node, int distance) {
    try {
      ReceiverProbe.receive(object, node, distance);
    } catch (StackOverflowError e) {
      return;
    }
  }

  @DontInline
  @Hidden
  private static void enter(Object object, Thread thread, boolean byMethod) {
    int number = Shadows.numberOf(thread);
    if (number == Shadows.NOBODY) {
      return;
    }
    long type = 0L;
    try {
      type = ObjectUse.of(object);
    } catch (StackOverflowError e) { // the stack of monitors stays right
      ArenaHeader.countWithoutRoom();
    }
    int depth = hold(object, thread, byMethod, type);
    try {
      if (type != 0L) {
        ObjectUse.add(type + (byMethod ? METHOD_ENTRIES : BLOCK_ENTRIES), 1L);
        countDepth(type, depth);
        operate(object, type, number, depth);
      }
    } catch (StackOverflowError e) {
      ArenaHeader.countWithoutRoom();
      return;
    }
  }

  /** Puts an object on the thread's stack; how often it is there now, 0 if that is not known. */
  @Hidden
  private static int hold(Object object, Thread thread, boolean byMethod, long type) {
    int count = U.getInt(thread, HELD_COUNT);
    if (count == LOST) {
      return 0;
    }
    Object[] held = (Object[]) U.getReference(thread, HELD);
    if (held == null || count + 2 > held.length) {
      held = grow(held, thread);
      if (held == null) {
        return 0;
      }
    }
    boolean isNew = count > FEW && type != 0L && isNew(object, type);
    int[] depths = (int[]) U.getReference(thread, HELD_DEPTHS);
    int last = isNew ? -1 : lastOf(object, held, count);
    int depth = last < 0 ? 1 : depths[last] + 1;
    if (byMethod) {
      held[count++] = METHOD;
    }
    held[count] = object;
    depths[count] = depth;
    U.putInt(thread, HELD_COUNT, count + 1);
    return depth;
  }

  /** Where an object is on a stack, at the latest; -1: it is not there. */
  @Hidden
  private static int lastOf(Object object, Object[] held, int count) {
    int k = count - 1;
    while (k >= 0 && held[k] != object) {
      k--;
    }
    return k;
  }

  /** Was an object, which has its word in a field, never locked? */
  @Hidden
  private static boolean isNew(Object object, long type) {
    int offset = U.getInt(null, type + LOCK_OFFSET);
    return offset != Shadows.NONE && (U.getLong(object, offset) & OPERATIONS) == 0L;
  }

  @Hidden
  private static Object[] grow(Object[] held, Thread thread) {
    try {
      Object[] grown = new Object[held == null ? INITIAL : 2 * held.length];
      int[] grownDepths = new int[grown.length];
      int[] depths = (int[]) U.getReference(thread, HELD_DEPTHS);
      for (int k = 0; held != null && k < held.length; k++) {
        grown[k] = held[k];
        grownDepths[k] = depths[k];
      }
      U.putReference(thread, HELD, grown);
      U.putReference(thread, HELD_DEPTHS, grownDepths);
      return grown;
    } catch (OutOfMemoryError e) {
      ArenaHeader.countWithoutRoom();
      U.putReference(thread, HELD, null);
      U.putInt(thread, HELD_COUNT, LOST);
      return null;
    }
  }

  @Hidden
  private static void countDepth(long type, int depth) {
    if (depth == 0) {
      return;
    }
    ObjectUse.add(type + NESTED_ENTRIES + 8L * (atMost(depth) - 1), 1L);
    int deepest;
    do {
      deepest = U.getInt(null, type + DEEPEST);
    } while (depth > deepest && !U.compareAndSetInt(null, type + DEEPEST, deepest, depth));
  }

  @Hidden
  private static int atMost(int depth) {
    return depth < DEPTHS ? depth : DEPTHS;
  }

  /** Counts an operation in the word of an object, and the object where that puts it. */
  @Hidden
  private static void operate(Object object, long type, int number, int depth) {
    int offset = U.getInt(null, type + LOCK_OFFSET);
    Object holder = offset == Shadows.NONE ? SideWords.of(object, false) : object;
    if (holder == null) {
      return;
    }
    long at = offset == Shadows.NONE ? SideWords.LOCK : offset;
    long before;
    long now;
    do {
      before = U.getLong(holder, at);
      now = next(before, number, atMost(depth));
    } while (!U.compareAndSetLong(holder, at, before, now));
    if ((before & OPERATIONS) != (now & OPERATIONS)) {
      ObjectUse.count(type + LOCKED_OBJECTS, before & OPERATIONS);
    }
    if ((before & OPERATIONS) == 0L) {
      ObjectProbe.locked(object, number);
    }
    int from = depthOf(before);
    int to = depthOf(now);
    if (from != to) {
      ObjectUse.add(type + NESTED_OBJECTS + 8L * (to - 1), 1L);
      if (from != 0) {
        ObjectUse.add(type + NESTED_OBJECTS + 8L * (from - 1), -1L);
      }
    }
    if (lockerOf(before) != Shadows.SEVERAL && lockerOf(now) == Shadows.SEVERAL) {
      ObjectUse.add(type + SEVERAL_LOCKERS, 1L);
    }
  }

  @Hidden
  private static long next(long before, int number, int depth) {
    long operations = before & OPERATIONS;
    operations += operations == OPERATIONS ? 0L : 1L;
    long deepest = depth > depthOf(before) ? depth : depthOf(before);
    int known = lockerOf(before);
    long locker = known == 0 || known == number ? number : Shadows.SEVERAL;
    return before & ObjectUse.IS_COPY | locker << LOCKER | deepest << DEPTH | operations;
  }

  @Hidden
  private static int depthOf(long word) {
    return (int) (word >>> DEPTH & DEPTH_BITS);
  }

  @Hidden
  private static int lockerOf(long word) {
    return (int) (word >>> LOCKER) & Shadows.SEVERAL;
  }

  /** A monitor is about to be left. */
  @DontInline
  @Hidden
  public static void leaveBlock(Object object, Thread thread, long node) {
    if (object == null || !ObjectUse.isFollowed(node)) {
      return;
    }
    Object[] held = (Object[]) U.getReference(thread, HELD);
    int count = U.getInt(thread, HELD_COUNT);
    for (int k = count - 1; k >= 0; k--) {
      if (held[k] == object && (k == 0 || held[k - 1] != METHOD)) {
        int[] depths = (int[]) U.getReference(thread, HELD_DEPTHS);
        for (int i = k + 1; i < count; i++) { // another one was entered later, and is still held
          held[i - 1] = held[i];
          depths[i - 1] = held[i] == object ? depths[i] - 1 : depths[i];
        }
        held[count - 1] = null;
        U.putInt(thread, HELD_COUNT, count - 1);
        return;
      }
    }
  }

  /** A synchronized method ends. */
  @DontInline
  @Hidden
  public static void leaveMethod(Thread thread, long node) {
    if (!ObjectUse.isFollowed(node)) {
      return;
    }
    Object[] held = (Object[]) U.getReference(thread, HELD);
    int count = U.getInt(thread, HELD_COUNT);
    for (int k = count - 1; k >= 0; k--) {
      Object top = held[k];
      held[k] = null;
      U.putInt(thread, HELD_COUNT, k);
      if (top == METHOD) {
        return;
      }
    }
  }

  /** A thread is about to wait for a monitor. */
  @DontInline
  @Hidden
  public static void waitFor(Object object, Thread thread, long node) {
    long type = held(object, thread, node);
    if (type != 0L) {
      ObjectUse.add(type + WAITS, 1L);
      operate(object, type, Shadows.numberOf(thread), 0);
    }
  }

  /** A thread is about to notify one or all of those that wait for a monitor. */
  @DontInline
  @Hidden
  public static void notifyOf(Object object, Thread thread, long node) {
    long type = held(object, thread, node);
    if (type != 0L) {
      ObjectUse.add(type + NOTIFICATIONS, 1L);
    }
  }

  /** What the arena knows of the class of an object whose monitor the thread holds; else 0. */
  @Hidden
  private static long held(Object object, Thread thread, long node) {
    boolean isCounted =
        object != null
            && ObjectUse.isFollowed(node)
            && Shadows.numberOf(thread) != Shadows.NOBODY
            && Thread.holdsLock(object)
            && isOnStack(object, thread);
    return isCounted ? ObjectUse.of(object) : 0L;
  }

  @Hidden
  private static boolean isOnStack(Object object, Thread thread) {
    int count = U.getInt(thread, HELD_COUNT);
    return count == LOST || lastOf(object, (Object[]) U.getReference(thread, HELD), count) >= 0;
  }
}
