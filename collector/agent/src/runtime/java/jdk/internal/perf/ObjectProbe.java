package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.BIRTHS;
import static jdk.internal.perf.ArenaLayout.BIRTH_OFFSET;
import static jdk.internal.perf.ArenaLayout.COUNTS_OFFSET;
import static jdk.internal.perf.ArenaLayout.END_METHOD;
import static jdk.internal.perf.ArenaLayout.FIRST_METHOD;
import static jdk.internal.perf.ArenaLayout.OBJECTS;
import static jdk.internal.perf.ArenaLayout.OTHER_OBJECTS;
import static jdk.internal.perf.ArenaLayout.UNSEEN;
import static jdk.internal.perf.ArenaLayout.WATCHED_OFFSETS;
import static jdk.internal.perf.ArenaLayout.WATCHED_SIZE;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Follows objects from their birth, the return of the constructor of {@code Object}, and knows
 * whether they are under construction: until the constructor ends that the object's class declares
 * and that no other constructor called. The word of the birth holds the number of the allocating
 * thread, which is also the only one that writes it once it is set.
 */
public final class ObjectProbe {
  private static final Unsafe U = Unsafe.getUnsafe();

  // The word of the birth; 0: not born yet, or nobody saw it.
  static final long ALLOCATOR = Shadows.SEVERAL;
  static final long IS_CONSTRUCTING = 1L << 24;

  /** Nobody saw its birth, and that was counted. */
  private static final long IS_UNSEEN = 1L << 25;

  /** Differs between an object and what it was cloned from. */
  private static final long IS_COPY = 1L << 26;

  // The word of the counts: fields that were accessed, are read-shared, are write-shared; then what
  // is true of the object.
  private static final long READ_SHARED = 1L << 16;
  private static final long WRITE_SHARED = 1L << 32;
  private static final long IS_MUTABLE = 1L << 48;
  private static final long IS_LOCKED = 1L << 49;
  private static final int COUNT = 0xFFFF;

  private ObjectProbe() {}

  /** The constructor of {@code Object} has returned, or of a class whose objects have no words. */
  @ForceInline
  @Hidden
  public static void born(Object object, Thread thread, long node) {
    if (!Arena.isSink(node)) {
      if (Shadows.areOpen) {
        beBorn(object, thread, IS_CONSTRUCTING);
      } else {
        Shadows.beEarly(object, thread);
      }
    }
  }

  @Hidden
  private static void beBorn(Object object, Thread thread, long state) {
    long type = Shadows.of(object);
    int number = Shadows.numberOf(thread);
    if (type != 0L && number != Shadows.NOBODY) {
      U.putLong(object, U.getInt(null, type + BIRTH_OFFSET), number | state);
      Shadows.add(type, BIRTHS, 1L, number, OTHER_OBJECTS);
    }
  }

  /** A constructor of a hidden class ends, by return or exception. */
  @ForceInline
  @Hidden
  public static void constructed(Object object, Class<?> declaring) {
    if (Shadows.areOpen && object.getClass() == declaring) {
      mark(object, 0L);
    }
  }

  /** A constructor of a hidden class goes on after another one of the same class. */
  @ForceInline
  @Hidden
  public static void constructing(Object object, Class<?> declaring) {
    if (Shadows.areOpen && object.getClass() == declaring) {
      mark(object, IS_CONSTRUCTING);
    }
  }

  /** As {@link #constructed}, of a class that is told by the number of its constructor. */
  @Hidden
  public static void constructedBy(Object object, int method) {
    if (Shadows.areOpen && declares(object, method)) {
      mark(object, 0L);
    }
  }

  /** As {@link #constructing}, of a class that is told by the number of its constructor. */
  @Hidden
  public static void constructingBy(Object object, int method) {
    if (Shadows.areOpen && declares(object, method)) {
      mark(object, IS_CONSTRUCTING);
    }
  }

  @Hidden
  private static boolean declares(Object object, int method) {
    long type = Shadows.known(object);
    return type != 0L
        && U.getInt(null, type + FIRST_METHOD) <= method
        && method < U.getInt(null, type + END_METHOD);
  }

  @ForceInline
  @Hidden
  private static void mark(Object object, long state) {
    long type = Shadows.known(object);
    if (type != 0L) {
      int offset = U.getInt(null, type + BIRTH_OFFSET);
      long birth = U.getLong(object, offset);
      if ((birth & ALLOCATOR) != 0L) {
        U.putLong(object, offset, birth & ~IS_CONSTRUCTING | state);
      }
    }
  }

  /**
   * An object was made without its own constructor: by deserialisation or {@code Unsafe}. Its
   * fields are as {@code new} leaves them, or as the constructor of a superclass does.
   */
  @Hidden
  public static Object made(Object object) {
    if (object == null || !Shadows.areOpen || ThreadSlot.isPaused()) {
      return object;
    }
    long type = Shadows.of(object);
    if (type != 0L && U.getLong(object, U.getInt(null, type + BIRTH_OFFSET)) == 0L) {
      beBorn(object, Thread.currentThread(), 0L);
    }
    mark(object, 0L);
    return object;
  }

  /**
   * A method handle allocates an object, whose constructor follows. That of a hidden class which
   * was defined before the agent tells nothing.
   */
  @Hidden
  public static Object allocated(Object object) {
    if (!Shadows.areOpen && object.getClass().isHidden() && !ThreadSlot.isPaused()) {
      Shadows.beEarly(object, Thread.currentThread());
    }
    return object;
  }

  /** {@code Array.get} returned an element: a new object if it is a number. */
  @Hidden
  public static Object madeElement(Object array, int index, Object element) {
    return array instanceof Object[] ? element : made(element);
  }

  /**
   * An object was cloned, by the method of {@code Object} or by one that calls it: the words of the
   * original came along, unless a call within has been here already. A bit that is not the
   * original's tells.
   */
  @Hidden
  public static Object copied(Object original, Object clone, Thread thread, long node) {
    if (clone == null || clone == original || original.getClass() != clone.getClass()) {
      return clone;
    }
    if (AllocationProbe.lengthOf(clone) >= 0) {
      return clone;
    }
    if (!Shadows.areOpen) {
      if (!Arena.isSink(node)) {
        Shadows.beEarlyCopy(clone, thread);
      }
      return clone;
    }
    long type = Arena.isSink(node) ? Shadows.known(clone) : Shadows.of(clone);
    if (type == 0L) {
      return clone;
    }
    int offset = U.getInt(null, type + BIRTH_OFFSET);
    long sign = ~U.getLong(original, offset) & IS_COPY;
    if ((U.getLong(clone, offset) & IS_COPY) == sign) {
      return clone;
    }
    for (int k = U.getInt(null, type + WATCHED_SIZE) - 1; k >= 0; k--) {
      U.putLong(clone, U.getInt(null, type + WATCHED_OFFSETS + 4L * k), 0L);
    }
    U.putLong(clone, U.getInt(null, type + COUNTS_OFFSET), 0L);
    U.putLong(clone, offset, sign);
    if (!Arena.isSink(node)) {
      beBorn(clone, thread, sign);
    }
    return clone;
  }

  /** The word of the birth of an object of a watched class; 0 if it was not seen. */
  @Hidden
  static long birth(Object object, long type, int number) {
    int offset = U.getInt(null, type + BIRTH_OFFSET);
    long birth = U.getLong(object, offset);
    if ((birth & ALLOCATOR) != 0L) {
      return birth;
    }
    if ((birth & IS_UNSEEN) == 0L
        && U.compareAndSetLong(object, offset, birth, birth | IS_UNSEEN)) {
      Shadows.add(type, UNSEEN, 1L, number, OTHER_OBJECTS);
    }
    return 0L;
  }

  /** A field of an object has changed its state. */
  @Hidden
  static void changed(Object object, long type, int from, int to, int number) {
    int before = from == FieldProbe.NEVER ? 0 : from;
    long delta = from == FieldProbe.NEVER ? 1L : 0L;
    delta += (to & FieldProbe.READ_SHARED) != 0 ? READ_SHARED : 0L;
    delta -= (before & FieldProbe.READ_SHARED) != 0 ? READ_SHARED : 0L;
    delta += (to & FieldProbe.WRITE_SHARED) != 0 ? WRITE_SHARED : 0L;
    delta -= (before & FieldProbe.WRITE_SHARED) != 0 ? WRITE_SHARED : 0L;
    long mutable = (to & FieldProbe.MUTABLE) != 0 ? IS_MUTABLE : 0L;
    change(object, type, delta, mutable, number);
  }

  /** An object is locked for the first time, by a thread with a number. */
  @Hidden
  static void locked(Object object, int number) {
    long type = Shadows.areOpen ? Shadows.of(object) : 0L;
    if (type != 0L && (U.getLong(object, U.getInt(null, type + BIRTH_OFFSET)) & ALLOCATOR) != 0L) {
      change(object, type, 0L, IS_LOCKED, number);
    }
  }

  /** Changes the word of the counts, and moves the object to the category that it is in then. */
  @Hidden
  private static void change(Object object, long type, long delta, long flag, int number) {
    int offset = U.getInt(null, type + COUNTS_OFFSET);
    long old;
    long next;
    do {
      old = U.getLong(object, offset);
      next = old + delta | flag;
      if (next == old) {
        return;
      }
    } while (!U.compareAndSetLong(object, offset, old, next));
    count(type, old, next, number);
  }

  @Hidden
  private static void count(long type, long old, long next, int number) {
    int fields = U.getInt(null, type + WATCHED_SIZE);
    int from = category(old, fields);
    int to = category(next, fields);
    if (from != to) {
      Shadows.add(type, OBJECTS + 8 * to, 1L, number, OTHER_OBJECTS);
      if (from != 0) { // the objects that were never accessed are what is left
        Shadows.add(type, OBJECTS + 8 * from, -1L, number, OTHER_OBJECTS);
      }
    }
  }

  @Hidden
  private static int category(long counts, int fields) {
    int accessed = (int) counts & COUNT;
    int access = accessed == 0 ? 0 : accessed < fields ? 1 : 2;
    int kind = (counts & IS_MUTABLE) != 0L ? 3 : access;
    int read = someOrAll((int) (counts >>> 16) & COUNT, fields);
    int write = someOrAll((int) (counts >>> 32) & COUNT, fields);
    int locked = (counts & IS_LOCKED) != 0L ? 1 : 0;
    return kind | read << 2 | write << 4 | locked << 6;
  }

  @Hidden
  private static int someOrAll(int count, int fields) {
    return count == 0 ? 0 : count < fields ? 1 : 2;
  }
}
