package jdk.internal.perf;

import static jdk.internal.perf.LifetimeLayout.FOUND;
import static jdk.internal.perf.LifetimeLayout.LENGTH;
import static jdk.internal.perf.LifetimeLayout.MADE_OTHERWISE;
import static jdk.internal.perf.LifetimeLayout.NOBODY;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The number of an object, kept where the VM keeps identity hash codes: in the first word of the
 * object, which every object has, arrays too. The number is multiplied by an odd constant there, so
 * that who asks the VM for the object's identity hash code finds it as spread as others; what the
 * program gets is in the file. A bit that the VM leaves free tells such words from those that the
 * VM wrote.
 *
 * <p>While an object is locked, the word may be elsewhere: in the object's monitor, or in a stack.
 * Only a monitor is looked into; otherwise the VM is asked for the hash code.
 */
public final class ObjectNumbers {
  private static final Unsafe U = Unsafe.getUnsafe();

  private static final int HASH = 0x7FFF_FFFF;
  private static final int SPREAD = 0x2545_F491;
  private static final int GATHER = inverse(SPREAD);

  /** In the first word: the hash code is a number. */
  private static final long IS_NUMBERED = 1L << 62;

  /** In the first word: the number is in a table, as the program had asked for a hash code. */
  private static final long IS_LISTED = 1L << 61;

  private static final int LIST_SHIFT = 42;
  private static final int MOST_LISTED = 1 << 18;
  private static final int LOCK_BITS = 3;
  private static final int UNLOCKED = 1;
  private static final int IN_MONITOR = 2;

  private static final long LIST = Arena.zeroed(4L * MOST_LISTED);
  private static final long LISTED = Arena.zeroed(8);

  private static int hashShift = 8;

  /** Do objects keep their words while one thread has locked them (since 23)? */
  private static boolean keepsWord;

  private ObjectNumbers() {}

  private static int inverse(int odd) {
    int inverse = odd;
    for (int k = 0; k < 5; k++) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }

  /** Finds where this VM keeps hash codes; false if it has no free bits there. */
  static boolean open() {
    Object probe = new Object();
    if (U.getLong(probe, 0L) >>> LIST_SHIFT != 0L) {
      return false; // the class is in the same word: compact headers
    }
    int hash = System.identityHashCode(probe);
    long word = U.getLong(probe, 0L);
    for (int shift = 4; shift <= 16; shift++) {
      if ((word >>> shift & HASH) == hash && word >>> shift + 31 == 0L) {
        hashShift = shift;
        synchronized (probe) {
          long locked = U.getLong(probe, 0L);
          keepsWord = (locked & LOCK_BITS) == 0L && locked >>> 2 == word >>> 2;
        }
        return true;
      }
    }
    return false;
  }

  /** The number of an object, which gets one if it has none; 0 of null, and if it cannot. */
  @ForceInline
  @Hidden
  static int of(Object object) {
    if (object == null) {
      return 0;
    }
    long word = U.getLong(object, 0L);
    if ((word & (IS_NUMBERED | UNLOCKED)) == (IS_NUMBERED | UNLOCKED)) {
      return (int) (word >>> hashShift) * GATHER & HASH;
    }
    return ofOther(object);
  }

  @DontInline
  @Hidden
  private static int ofOther(Object object) {
    int number = known(object);
    return number != 0 ? number : found(object);
  }

  /** The number of an object; 0 if it has none. */
  @Hidden
  static int known(Object object) {
    long monitor = monitorOf(object);
    long word = U.getLong(monitor == 0L ? object : null, monitor);
    if (!isReadable(word)) {
      int number = System.identityHashCode(object) * GATHER & HASH;
      return number <= LifetimeLog.clock() ? number : 0;
    }
    if ((word & IS_NUMBERED) != 0L) {
      return (int) (word >>> hashShift) * GATHER & HASH;
    }
    if ((word & IS_LISTED) != 0L) {
      return U.getInt(null, LIST + 4L * (word >>> LIST_SHIFT & MOST_LISTED - 1));
    }
    return 0;
  }

  /**
   * The hash code that the program sees of an object, if the VM has returned its number.
   *
   * @param hash what a call returned that may also have reached a hashCode of the program
   */
  @DontInline
  @Hidden
  static int seenHash(Object object, int hash) {
    if (object == null) {
      return hash;
    }
    long monitor = monitorOf(object);
    long word = U.getLong(monitor == 0L ? object : null, monitor);
    if (isReadable(word) && (word & IS_NUMBERED) == 0L) {
      return hash;
    }
    int code = System.identityHashCode(object);
    if (hash != code) {
      return hash;
    }
    int number = code * GATHER & HASH;
    int seen = number <= LifetimeLog.clock() ? LifetimeLog.hashOf(number) : 0;
    return seen == 0 ? hash : seen;
  }

  /**
   * The address of an object's monitor, which begins with the object's word; 0: it has the word.
   */
  @Hidden
  private static long monitorOf(Object object) {
    long word = U.getLong(object, 0L);
    if ((word & LOCK_BITS) == 0L && !keepsWord) {
      System.identityHashCode(object); // it may get a monitor by this
      word = U.getLong(object, 0L);
    }
    return (word & LOCK_BITS) == IN_MONITOR ? word - IN_MONITOR : 0L;
  }

  @ForceInline
  @Hidden
  private static boolean isReadable(long word) {
    return (word & LOCK_BITS) == UNLOCKED || (word & LOCK_BITS) == 0L && keepsWord;
  }

  /** An object whose allocation was not seen: it gets a number, and is taken to stay. */
  @Hidden
  private static int found(Object object) {
    int type = ClassWord.numberOf(object.getClass());
    int number = numbered(object);
    if (number != 0) {
      LifetimeLog.append(0, FOUND, 0, number, type);
    }
    return number;
  }

  /** Gives an object the next number; 0 if it cannot have one. */
  @Hidden
  private static int numbered(Object object) {
    long monitor = monitorOf(object);
    if (!isReadable(U.getLong(monitor == 0L ? object : null, monitor))) {
      return 0;
    }
    int number = LifetimeLog.nextNumber();
    if (number != 0 && !set(object, number)) {
      LifetimeLog.append(0, LENGTH, NOBODY, number, 0);
      return 0;
    }
    return number;
  }

  /** Gives an object a number; false if it has one, or is locked. */
  @Hidden
  static boolean set(Object object, int number) {
    if ((U.getLong(object, 0L) & 7L) == 5L) { // biased to a thread (17)
      System.identityHashCode(object);
    }
    while (true) {
      long monitor = monitorOf(object);
      Object base = monitor == 0L ? object : null;
      long word = U.getLong(base, monitor);
      if (!isReadable(word) || (word & (IS_NUMBERED | IS_LISTED)) != 0L) {
        return false;
      }
      long next = withNumber(word, number);
      if (next == 0L) {
        return false;
      }
      if (U.compareAndSetLong(base, monitor, word, next)) {
        return true;
      }
    }
  }

  /** The word with a number; 0 if the list is full. */
  @Hidden
  private static long withNumber(long word, int number) {
    if ((word >>> hashShift & HASH) == 0L) {
      return word | IS_NUMBERED | (number * SPREAD & (long) HASH) << hashShift;
    }
    int index;
    do {
      index = U.getInt(null, LISTED);
      if (index == MOST_LISTED) {
        return 0L;
      }
    } while (!U.compareAndSetInt(null, LISTED, index, index + 1));
    U.putInt(null, LIST + 4L * index, number);
    return word | IS_LISTED | (long) index << LIST_SHIFT;
  }

  /** An object was allocated by other ways than {@code new}; its number. */
  @Hidden
  static int made(Object object, int context, int site) {
    int type = ClassWord.numberOf(object.getClass());
    int number = numbered(object);
    if (number == 0) {
      return 0;
    }
    int length = AllocationProbe.lengthOf(object);
    if (length < 0) {
      LifetimeLog.append(context, MADE_OTHERWISE, site, number, type);
    } else {
      int units = AllocationProbe.unitsOf(length, AllocationProbe.shiftOf(object));
      LifetimeLog.appendTwo(context, MADE_OTHERWISE, site, number, type, units);
    }
    LifetimeLog.stamp(number, context);
    return number;
  }
}
