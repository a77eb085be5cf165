package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.ARRAY_BASE;
import static jdk.internal.perf.ArenaLayout.REFERENCE_BYTES;
import static jdk.internal.perf.LifetimeLayout.CLONED;
import static jdk.internal.perf.LifetimeLayout.FRAME_HEAD;
import static jdk.internal.perf.LifetimeLayout.LOWER;
import static jdk.internal.perf.LifetimeLayout.MADE;
import static jdk.internal.perf.LifetimeLayout.STATIC;
import static jdk.internal.perf.LifetimeLayout.STORED;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.channels.FileChannel;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What instrumented code tells of objects: that they were made, where they are referred to from,
 * and until when a frame referred to them. See {@link LifetimeLog} for what is written.
 *
 * <p>An object that {@code new} makes gets its number there, but can be shown to nobody before the
 * constructor of {@code Object} has returned. So the number waits in the frame, goes to the
 * constructor in the last word of the caller's frame, and from constructor to constructor, until
 * the object can have it.
 */
public final class LifetimeProbe {
  private static final Unsafe U = Unsafe.getUnsafe();

  /** In the place of an offset: the field was not found. */
  private static final int NONE = -1;

  /** Address of a table: of each key the offset of its field, and 0 if not known; 0: not open. */
  private static long offsets;

  private static int capacity;
  private static int firstElement; // offset in an array of references
  private static int referenceBytes;

  private LifetimeProbe() {}

  // ---- called by the agent

  /**
   * Begins.
   *
   * @param keys that fields may have
   * @return whether this VM has room in objects, and the disk for the first pages
   */
  public static boolean open(FileChannel channel, FileDescriptor file, int keys)
      throws IOException {
    if (!ObjectNumbers.open()) {
      return false;
    }
    referenceBytes = U.getInt(null, Arena.base + REFERENCE_BYTES);
    firstElement = U.getInt(null, Arena.base + ARRAY_BASE) + referenceBytes - 1 & -referenceBytes;
    capacity = 2 * keys;
    offsets = Arena.zeroed(4L * capacity);
    return LifetimeLog.open(channel, file);
  }

  /** There are more keys. */
  public static void grow(int count) {
    if (offsets != 0L && count > capacity) {
      long table = Arena.zeroed(8L * count);
      U.copyMemory(null, offsets, null, table, 4L * capacity);
      capacity = 2 * count;
      U.storeFence();
      offsets = table;
    }
  }

  // ---- frames

  /** A frame for the method that was just entered; 0 if nothing is recorded. */
  @ForceInline
  @Hidden
  public static long enterFrame(Thread thread, long node, int shape) {
    return FrameRoots.enter(thread, node, shape);
  }

  /** A method is about to return. */
  @ForceInline
  @Hidden
  public static void leaveFrame(Thread thread, long frame) {
    FrameRoots.leave(thread, frame);
  }

  /** An exception was caught, and the operand stack is empty but for it. */
  @ForceInline
  @Hidden
  public static void caughtInFrame(Thread thread, long frame, int firstOperand) {
    FrameRoots.caught(thread, frame, firstOperand);
  }

  /** A local variable, or a place on the operand stack, refers to an object from now on. */
  @ForceInline
  @Hidden
  public static void hold(Object object, long frame, int word) {
    if (frame != 0L) {
      int old = U.getInt(null, frame + word);
      int number = ObjectNumbers.of(object);
      if (old != number) {
        U.putInt(null, frame + word, number);
        if (old != 0) {
          LifetimeLog.stamp(old, U.getInt(null, frame));
        }
      }
    }
  }

  /** A local variable has another type from now on, or an operand was used. */
  @ForceInline
  @Hidden
  public static void drop(long frame, int word) {
    if (frame != 0L) {
      int old = U.getInt(null, frame + word);
      if (old != 0) {
        U.putInt(null, frame + word, 0);
        LifetimeLog.stamp(old, U.getInt(null, frame));
      }
    }
  }

  /** What is at one place of the operand stack is at another one from now on. */
  @ForceInline
  @Hidden
  public static void copyWord(long frame, int from, int to) {
    if (frame != 0L) {
      U.putInt(null, frame + to, U.getInt(null, frame + from));
    }
  }

  /** Two places of the operand stack are exchanged. */
  @ForceInline
  @Hidden
  public static void swapWords(long frame, int one, int other) {
    if (frame != 0L) {
      int number = U.getInt(null, frame + one);
      U.putInt(null, frame + one, U.getInt(null, frame + other));
      U.putInt(null, frame + other, number);
    }
  }

  /** For a method without a frame: where the thread's last frame ends. */
  @Hidden
  public static long framesEnd(Thread thread) {
    return FrameRoots.lastEnd(thread);
  }

  /** A method without a frame has caught an exception: frames from where it began are gone. */
  @Hidden
  public static void caughtAbove(Thread thread, long end) {
    FrameRoots.caughtAbove(thread, end);
  }

  // ---- objects that constructors make

  /** {@code new} has made an object, whose number waits in a word of the frame. */
  @Hidden
  public static void madeNew(long node, long frame, int site, int word) {
    if (frame != 0L) {
      int number = LifetimeLog.nextNumber();
      if (number != 0) {
        LifetimeLog.append(Arena.linkTo(node), MADE, site, number, 0);
      }
      U.putInt(null, frame + word, number);
    }
  }

  /** The constructor of an object is about to be called. */
  @ForceInline
  @Hidden
  public static void constructingNew(long frame, int word, int last) {
    if (frame != 0L) {
      U.putInt(null, frame + last, U.getInt(null, frame + word));
      U.putInt(null, frame + word, 0);
    }
  }

  /** A constructor of the same object is about to be called. */
  @ForceInline
  @Hidden
  public static void delegating(long frame, int last) {
    if (frame != 0L) {
      U.putInt(null, frame + last, U.getInt(null, frame + FRAME_HEAD));
    }
  }

  /** A constructor was entered: takes the number from the end of the caller's frame. */
  @ForceInline
  @Hidden
  public static void receive(long frame) {
    if (frame != 0L) {
      int number = U.getInt(null, frame - 4);
      if (number > 0) {
        U.putInt(null, frame - 4, 0);
      } else {
        number = 0; // that of an object whose constructor is not recorded, and calls this one
      }
      U.putInt(null, frame + FRAME_HEAD, number);
    }
  }

  /** The constructor of a superclass, or another one of the class, has returned. */
  @Hidden
  public static void bornNew(Object object, long node, long frame, int last) {
    if (frame == 0L) {
      return;
    }
    U.putInt(null, frame + last, 0);
    int number = ObjectNumbers.known(object);
    if (number == 0) {
      number = U.getInt(null, frame + FRAME_HEAD);
      if (number == 0) {
        number = ObjectNumbers.made(object, Arena.linkTo(node), 0);
      } else {
        ObjectNumbers.set(object, number);
      }
      if (object instanceof ClassLoader) {
        LifetimeLog.append(0, STATIC, 0, 0, number); // the VM refers to it
      }
    }
    U.putInt(null, frame + FRAME_HEAD, number);
  }

  /** A constructor has returned: if it was one that is not recorded, the number is still there. */
  @ForceInline
  @Hidden
  public static void constructedNew(Object object, long frame, int last) {
    if (frame != 0L) {
      int number = U.getInt(null, frame + last);
      if (number != 0) {
        U.putInt(null, frame + last, 0);
        if (number < 0) {
          LifetimeLog.stamp(-number, U.getInt(null, frame));
        } else if (ObjectNumbers.set(object, number)) {
          LifetimeLog.stamp(number, U.getInt(null, frame));
        }
      }
    }
  }

  /**
   * A constructor that is not recorded was entered. The number of its object stays at the end of
   * the caller's frame, less than 0 meanwhile: others that it calls are not this object's.
   */
  @Hidden
  public static void enteredUnseen(Thread thread) {
    long end = FrameRoots.lastEnd(thread);
    if (end != 0L && U.getInt(null, end - 4) > 0) {
      U.putInt(null, end - 4, -U.getInt(null, end - 4));
    }
  }

  /** It calls the constructor of its superclass, which may be recorded. */
  @Hidden
  public static void delegatingUnseen(Thread thread) {
    long end = FrameRoots.lastEnd(thread);
    if (end != 0L && U.getInt(null, end - 4) < 0) {
      U.putInt(null, end - 4, -U.getInt(null, end - 4));
    }
  }

  /** That has returned: if no constructor has taken the number, it is the object's from here on. */
  @Hidden
  public static void bornUnseen(Object object, Thread thread) {
    long end = FrameRoots.lastEnd(thread);
    int number = end == 0L ? 0 : U.getInt(null, end - 4);
    if (number > 0) {
      ObjectNumbers.set(object, number);
      U.putInt(null, end - 4, -number);
    }
  }

  // ---- objects that are made otherwise

  /** An instruction has made an array; {@code shift} as in {@link AllocationProbe}. */
  @Hidden
  public static void newArray(Object array, long node, int site, int shift) {
    if (isOpen(node)) {
      int number = LifetimeLog.nextNumber();
      if (number != 0 && ObjectNumbers.set(array, number)) {
        int context = Arena.linkTo(node);
        int units = AllocationProbe.unitsOf(AllocationProbe.lengthOf(array), shift);
        LifetimeLog.append(context, MADE, site, number, units);
        LifetimeLog.stamp(number, context);
      }
    }
  }

  /** An instruction or a native has made an array, and arrays in it. */
  @Hidden
  public static void newObject(Object object, long node, int site) {
    if (object != null && isOpen(node) && ObjectNumbers.known(object) == 0) {
      int number = ObjectNumbers.made(object, Arena.linkTo(node), site + 1);
      if (AllocationProbe.isNested(object)) {
        Object[] outer = (Object[]) object;
        for (int k = 0; k < outer.length; k++) {
          newObject(outer[k], node, site);
          if (outer[k] != null) {
            int inner = ObjectNumbers.of(outer[k]);
            LifetimeLog.append(Arena.linkTo(node), STORED, element(k), number, inner);
          }
        }
      }
    }
  }

  /** A method clone has returned, maybe {@code Object}'s. */
  @Hidden
  public static Object newClone(Object original, Object clone, long node, int site) {
    if (clone != null && isOpen(node) && ObjectNumbers.known(clone) == 0) {
      int from = ObjectNumbers.of(original);
      int number = ObjectNumbers.made(clone, Arena.linkTo(node), site + 1);
      LifetimeLog.append(Arena.linkTo(node), CLONED, 0, from, number);
    }
    return clone;
  }

  @ForceInline
  @Hidden
  private static boolean isOpen(long node) {
    return LifetimeLog.base != 0L && !Arena.isSink(node);
  }

  // ---- references

  @ForceInline
  @Hidden
  private static int element(int index) {
    return index & LOWER;
  }

  @ForceInline
  @Hidden
  private static int place(Object object, long offset) {
    return object instanceof Object[]
        ? element((int) ((offset - firstElement) / referenceBytes))
        : (int) offset & LOWER;
  }

  /** A reference is about to be stored in a field, or was. */
  @Hidden
  public static void stored(Object object, Object target, long node, int key) {
    if (object == null || !isOpen(node)) {
      return;
    }
    int offset = U.getInt(null, offsets + 4L * key);
    if (offset == 0) {
      offset = findOffset(object, key);
    }
    store(object, offset & LOWER, target, node);
  }

  @DontInline
  @Hidden
  private static int findOffset(Object object, int key) {
    int offset = AgentPort.tellOffset(object.getClass(), key);
    U.putInt(null, offsets + 4L * key, offset == 0 ? NONE : offset);
    return offset;
  }

  /** As {@link #stored}, of a reference that is strong only if the object is a soft one. */
  @Hidden
  public static void storedReferent(Object object, Object target, long node, int key) {
    if (object instanceof SoftReference) {
      stored(object, target, node, key);
    }
  }

  /** A reference is about to be stored in an array, if it can be. */
  @Hidden
  public static void storedElement(Object array, int index, Object target, long node) {
    if (isOpen(node)
        && array instanceof Object[] elements
        && index >= 0
        && index < elements.length
        && (target == null || fits(elements, target))) {
      store(array, element(index), target, node);
    }
  }

  @Hidden
  private static boolean fits(Object[] elements, Object target) {
    Class<?> type = ClassWord.componentOf(elements);
    return type == Object.class || type.isInstance(target);
  }

  @Hidden
  private static void store(Object object, int place, Object target, long node) {
    int context = Arena.linkTo(node);
    int from = ObjectNumbers.of(object);
    if (from == 0) {
      LifetimeLog.append(context, STATIC, 0, 0, ObjectNumbers.of(target));
    } else {
      LifetimeLog.append(context, STORED, place, from, ObjectNumbers.of(target));
      LifetimeLog.stamp(from, context);
    }
  }

  /** A static field is about to have another value. */
  @Hidden
  public static void storedStatic(Object now, Object old, long node) {
    if (now != old && isOpen(node)) {
      int context = Arena.linkTo(node);
      LifetimeLog.append(context, STATIC, 0, ObjectNumbers.of(old), ObjectNumbers.of(now));
    }
  }

  /** The VM keeps what is returned to it. */
  @Hidden
  public static void keptByVm(Object object) {
    if (object != null && LifetimeLog.base != 0L && !ThreadSlot.isPaused()) {
      LifetimeLog.append(0, STATIC, 0, 0, ObjectNumbers.of(object));
    }
  }

  // ---- instead of methods of the JDK

  /** {@code System.arraycopy}. */
  @Hidden
  public static void copyArray(
      Object source, int from, Object target, int to, int length, long node) {
    if (!(source instanceof Object[] && target instanceof Object[]) || !isOpen(node)) {
      System.arraycopy(source, from, target, to, length);
      return;
    }
    try {
      System.arraycopy(source, from, target, to, length);
    } finally { // an element that does not fit ends it, and those before it are copied
      Object[] elements = (Object[]) target;
      int end = length < 0 ? to : to + length;
      int last = end < elements.length ? end : elements.length;
      for (int k = to < 0 ? 0 : to; k < last; k++) {
        store(target, element(k), elements[k], node);
      }
    }
  }

  /** {@code Array.set}. */
  @Hidden
  public static void setElement(Object array, int index, Object target, long node) {
    java.lang.reflect.Array.set(array, index, target);
    if (array instanceof Object[] && isOpen(node)) {
      store(array, element(index), target, node);
    }
  }

  /** The methods of {@code Unsafe} that write a reference. */
  @Hidden
  public static void putReference(
      Unsafe unsafe, Object object, long offset, Object now, long node) {
    Object old = object instanceof Class ? unsafe.getReferenceVolatile(object, offset) : null;
    unsafe.putReferenceVolatile(object, offset, now);
    wrote(object, offset, old, now, node);
  }

  /** Those that return the old reference. */
  @Hidden
  public static Object swapReference(
      Unsafe unsafe, Object object, long offset, Object now, long node) {
    Object old = unsafe.getAndSetReference(object, offset, now);
    wrote(object, offset, old, now, node);
    return old;
  }

  /** Those that write if the old reference is the expected one. */
  @Hidden
  public static boolean replaceReference(
      Unsafe unsafe, Object object, long offset, Object old, Object now, long node) {
    boolean isReplaced = unsafe.compareAndSetReference(object, offset, old, now);
    if (isReplaced) {
      wrote(object, offset, old, now, node);
    }
    return isReplaced;
  }

  /** Those that do, and return the old reference. */
  @Hidden
  public static Object exchangeReference(
      Unsafe unsafe, Object object, long offset, Object old, Object now, long node) {
    Object found = unsafe.compareAndExchangeReference(object, offset, old, now);
    if (found == old) {
      wrote(object, offset, old, now, node);
    }
    return found;
  }

  @Hidden
  private static void wrote(Object object, long offset, Object old, Object now, long node) {
    if (object instanceof Class) {
      storedStatic(now, old, node);
    } else if (object != null && isOpen(node)) {
      store(object, place(object, offset), now, node);
    }
  }
}
