package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.HASH_OFFSET;
import static jdk.internal.perf.ArenaLayout.LOCK_OFFSET;
import static jdk.internal.perf.ArenaLayout.USED_CLASSES;
import static jdk.internal.perf.ArenaLayout.USE_BYTES;
import static jdk.internal.perf.ArenaLayout.WATCHED_CLASS;
import static jdk.internal.perf.ArenaLayout.WATCHED_PREVIOUS;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Where objects have the words of their use: one says how they were locked, one how their hash
 * codes were asked for. Most have them in hidden fields, which classes get when they are
 * instrumented; the others, such as arrays, in {@link SideWords}. The arena counts the objects of
 * each class by what their words say, so that nothing has to happen when an object dies.
 *
 * <p>What is done to objects is known from the agent's start on.
 */
public final class ObjectUse {
  private static final Unsafe U = Unsafe.getUnsafe();
  private static final long CLASS_FIELD = U.objectFieldOffset(Class.class, "jvmscope$use");

  /** In both words: differs between an object and what it was cloned from. */
  static final long IS_COPY = 1L << 63;

  private static boolean isOpen;

  private ObjectUse() {}

  /**
   * Follows the use of objects from now on.
   *
   * @param lendsHashes may the headers of objects have hash codes of the recording's own?
   */
  public static void open(boolean lendsHashes) {
    if (lendsHashes) {
      LentHashes.open();
    }
    if (LockProbe.listens) {
      ArenaHeader.raise(ArenaLayout.SAW_CONTENTION);
    }
    isOpen = true;
  }

  /** Is what a thread does to objects followed, in a method with a node? */
  @ForceInline
  @Hidden
  static boolean isFollowed(long node) {
    return isOpen && !Arena.isSink(node);
  }

  /** What the arena knows of the class of an object; 0 if there is no room. */
  @ForceInline
  @Hidden
  static long of(Object object) {
    long link = U.getInt(object.getClass(), CLASS_FIELD) & 0xFFFFFFFFL;
    return link == 0L ? make(object.getClass()) : Arena.at(link);
  }

  @DontInline
  @Hidden
  private static long make(Class<?> type) {
    long made = Arena.allocate(USE_BYTES);
    if (made == 0L) {
      ArenaHeader.countWithoutRoom();
      return 0L;
    }
    long slot = ThreadSlot.pause();
    try {
      U.putInt(null, made + LOCK_OFFSET, offset(type, "jvmscope$lock"));
      U.putInt(null, made + HASH_OFFSET, offset(type, "jvmscope$hash"));
      U.putInt(null, made + WATCHED_CLASS, ClassWord.numberOf(type));
    } finally {
      ThreadSlot.resume(slot);
    }
    int link = Arena.linkTo(made);
    if (!U.compareAndSetInt(type, CLASS_FIELD, 0, link)) { // another thread was first
      return Arena.at(U.getInt(type, CLASS_FIELD) & 0xFFFFFFFFL);
    }
    int previous;
    do {
      previous = U.getInt(null, Arena.base + USED_CLASSES);
      U.putInt(null, made + WATCHED_PREVIOUS, previous);
    } while (!U.compareAndSetInt(null, Arena.base + USED_CLASSES, previous, link));
    return made;
  }

  /**
   * Where objects of a class have a word, by the field that it or a superclass declares. Nearly all
   * have it from the class below Object, so that one is asked first: the VM says no by an error.
   */
  private static int offset(Class<?> type, String name) {
    Class<?> above = type.getSuperclass();
    if (above == null) {
      return Shadows.NONE;
    }
    int offset = offset(above, name);
    return offset == Shadows.NONE ? Shadows.offset(type, name) : offset;
  }

  /**
   * An object was cloned, and its word came along, unless a call within has been here already: a
   * bit that is not the original's tells.
   *
   * @param place where the arena has the word's offset, of a class
   */
  @Hidden
  static void copied(Object original, Object clone, int place) {
    if (!isOpen || clone == null || clone == original || clone.getClass() != original.getClass()) {
      return;
    }
    long link = U.getInt(clone.getClass(), CLASS_FIELD) & 0xFFFFFFFFL;
    int offset = link == 0L ? Shadows.NONE : U.getInt(null, Arena.at(link) + place);
    if (offset != Shadows.NONE) {
      long sign = ~U.getLong(original, offset) & IS_COPY;
      if ((U.getLong(clone, offset) & IS_COPY) != sign) {
        U.putLong(clone, offset, sign);
      }
    }
  }

  /** Moves an object from the bin of one number to that of the next, of 1, 2, 3 to 4, 5 to 8, … */
  @Hidden
  static void count(long bins, long before) {
    if (before == 0L) {
      add(bins, 1L);
    } else if ((before & before - 1L) == 0L) { // a power of two is the last number of its bin
      int bin = 0;
      while (1L << bin < before) {
        bin++;
      }
      add(bins + 8L * (bin + 1), 1L);
      add(bins + 8L * bin, -1L);
    }
  }

  /** Adds to a number that threads share. */
  @ForceInline
  @Hidden
  static void add(long address, long delta) {
    long count;
    do {
      count = U.getLong(null, address);
    } while (!U.compareAndSetLong(null, address, count, count + delta));
  }
}
