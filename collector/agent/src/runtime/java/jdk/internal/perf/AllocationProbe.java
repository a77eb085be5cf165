package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.ALLOCATED;
import static jdk.internal.perf.ArenaLayout.ALLOCATED_BYTES;
import static jdk.internal.perf.ArenaLayout.EMPTY;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.PARENT;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Counts the objects that sites make whose number per size or class no counter of the node can
 * hold: chains or tables of counts at slots of the node, as those of children. An array is counted
 * by its length in units, plus one: an element of four or eight bytes is a unit, smaller ones share
 * one of four bytes. Whatever header and alignment the VM has, the unit's number gives the size.
 */
public final class AllocationProbe {
  private static final Unsafe U = Unsafe.getUnsafe();

  /** Bytes in front of a count of a class: its slot, for the counts of arrays by length. */
  private static final int SLOT_BYTES = 8;

  private AllocationProbe() {}

  /**
   * An array was made.
   *
   * @param distance of the site's slot from the node
   * @param shift elements in a unit, as a power of two
   */
  @ForceInline
  @Hidden
  public static void madeArray(int length, long node, int distance, int shift) {
    int key = unitsOf(length, shift) + 1;
    long entry = Arena.base + ((U.getInt(null, node + distance) & 0xFFFFFFFFL) << 3);
    if (U.getInt(null, entry + METHOD) == key) {
      U.putLong(null, entry + ALLOCATED, U.getLong(null, entry + ALLOCATED) + 1L);
    } else {
      add(node, node + distance, key, 1L);
    }
  }

  @ForceInline
  @Hidden
  static int unitsOf(int length, int shift) {
    return length + (1 << shift) - 1 >>> shift;
  }

  /** Adds to the count of a key at a slot. */
  @DontInline
  @Hidden
  private static void add(long node, long slot, int key, long times) {
    if (!Arena.isSink(slot)) {
      long entry = countOf(slot, node, key, 0);
      if (entry != 0L) {
        U.putLong(null, entry + ALLOCATED, U.getLong(null, entry + ALLOCATED) + times);
      }
    }
  }

  /** The count of a key at a slot, made if there is none; 0 if the disk is full. */
  @Hidden
  private static long countOf(long slot, long node, int key, int slotBytes) {
    long entry = Children.find(slot, key);
    if (entry != 0L) {
      return entry;
    }
    long memory = Arena.allocate(slotBytes + ALLOCATED_BYTES);
    if (memory == 0L) {
      ArenaHeader.countWithoutRoom();
      return 0L;
    }
    entry = memory + slotBytes;
    if (slotBytes > 0) {
      U.putInt(null, entry - 4, EMPTY);
    }
    U.putInt(null, entry + PARENT, Arena.linkTo(node));
    U.putInt(null, entry + METHOD, key);
    Children.link(slot, entry);
    return entry;
  }

  /**
   * Arrays in arrays were made by one instruction: all of a dimension have one length.
   *
   * @param distance of the slot of the outermost dimension; those of the others follow
   * @param shift elements of the innermost in a unit, as a power of two
   */
  @DontInline
  @Hidden
  public static void madeNested(Object array, long node, int distance, int dimensions, int shift) {
    if (Arena.isSink(node + distance)) {
      return;
    }
    long times = 1L;
    Object outer = array;
    for (int k = 0; k < dimensions && times > 0L; k++) {
      boolean isInnermost = k == dimensions - 1;
      int length = lengthOf(outer);
      int key = unitsOf(length, isInnermost ? shift : 0) + 1;
      add(node, node + distance - 4L * k, key, times);
      times *= length;
      outer = isInnermost || length == 0 ? null : ((Object[]) outer)[0];
    }
  }

  /** A native method returned a new object, or none; of new arrays in it none was there before. */
  @DontInline
  @Hidden
  public static void madeResult(Object result, long node, int distance) {
    if (result != null && !Arena.isSink(node + distance)) {
      addObject(result, node, node + distance);
      if (isNested(result)) {
        for (Object inner : (Object[]) result) {
          madeResult(inner, node, distance);
        }
      }
    }
  }

  /**
   * The same, unless a method with a body was called in its place.
   *
   * @param ofCall distance of the call's slot from the node
   */
  @DontInline
  @Hidden
  public static void madeResultUnless(
      Object result, Thread thread, long node, int distance, int ofCall) {
    if (StandIns.isReached(thread, node + ofCall)) {
      madeResult(result, node, distance);
    }
  }

  /** {@code Array.get} returned an element: a new object if it is a number. */
  @DontInline
  @Hidden
  public static Object madeElement(
      Object array, int index, Object element, long node, int distance) {
    if (!(array instanceof Object[])) {
      madeClone(element, node, distance);
    }
    return element;
  }

  /** {@code Object.clone} returned. */
  @DontInline
  @Hidden
  public static void madeClone(Object clone, long node, int distance) {
    if (clone != null && !Arena.isSink(node + distance)) {
      addObject(clone, node, node + distance);
    }
  }

  /** A method clone returned, {@code Object}'s unless the receiver's class has its own. */
  @ForceInline
  @Hidden
  public static void madeCloneOf(Object receiver, Object clone, long node, int distance) {
    if (!ClassWord.doesOverrideClone(receiver)) {
      madeClone(clone, node, distance);
    }
  }

  @Hidden
  private static void addObject(Object object, long node, long slot) {
    long entry = countOf(slot, node, ClassWord.numberOf(object.getClass()), SLOT_BYTES);
    if (entry == 0L) {
      return;
    }
    int length = lengthOf(object);
    if (length < 0) {
      U.putLong(null, entry + ALLOCATED, U.getLong(null, entry + ALLOCATED) + 1L);
    } else {
      add(entry, entry - 4L, unitsOf(length, shiftOf(object)) + 1, 1L);
    }
  }

  /** Is an object an array of arrays? Methods of {@code Class} would be counted. */
  @Hidden
  static boolean isNested(Object object) {
    return object instanceof Object[][]
        || object instanceof byte[][]
        || object instanceof int[][]
        || object instanceof char[][]
        || object instanceof long[][]
        || object instanceof double[][]
        || object instanceof float[][]
        || object instanceof short[][]
        || object instanceof boolean[][];
  }

  /** The length of an array; -1 if it is none. */
  @Hidden
  static int lengthOf(Object array) {
    if (array instanceof byte[] bytes) {
      return bytes.length;
    } else if (array instanceof Object[] objects) {
      return objects.length;
    } else if (array instanceof int[] ints) {
      return ints.length;
    } else if (array instanceof char[] chars) {
      return chars.length;
    } else if (array instanceof long[] longs) {
      return longs.length;
    } else if (array instanceof double[] doubles) {
      return doubles.length;
    } else if (array instanceof float[] floats) {
      return floats.length;
    } else if (array instanceof short[] shorts) {
      return shorts.length;
    }
    return array instanceof boolean[] booleans ? booleans.length : -1;
  }

  @Hidden
  static int shiftOf(Object array) {
    if (array instanceof byte[] || array instanceof boolean[]) {
      return 2;
    }
    return array instanceof char[] || array instanceof short[] ? 1 : 0;
  }
}
