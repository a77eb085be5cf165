package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.FIELD_OBJECTS;
import static jdk.internal.perf.ArenaLayout.OTHER_FIELDS;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Follows the accesses of fields. Each field of each object has a word: the number of the thread
 * that reads it in the lowest 24 bits and of the one that writes it in the next, each 0 if there is
 * none and {@link Shadows#SEVERAL} if there are several; then what follows below. An access that
 * changes nothing costs two loads where the key is constant.
 */
public final class FieldProbe {
  private static final Unsafe U = Unsafe.getUnsafe();

  private static final int SEVERAL = Shadows.SEVERAL;
  private static final int WRITER = 24;
  private static final long IS_ACCESSED = 1L << 48;
  private static final long WAS_WRITTEN_FIRST = 1L << 49;
  private static final long IS_MUTABLE = 1L << 50;

  /** The whole word: written before the constructor of Object, and not counted yet. */
  private static final long IS_EARLY = 1L << 51;

  /** The whole word: nobody saw the object's birth, so nothing is known of the field. */
  private static final long IS_UNSEEN = -1L;

  // A field's state: see ArenaLayout.STATES.
  static final int MUTABLE = 2;
  static final int READ_SHARED = 4;
  static final int WRITE_SHARED = 8;

  /** In the place of a state: the field was not accessed yet. */
  static final int NEVER = -1;

  private FieldProbe() {}

  /** Before a field is read. */
  @ForceInline
  @Hidden
  public static void reading(Object object, Thread thread, long node, int key) {
    int offset = Shadows.offsetOf(key);
    if (offset >= 0 && object != null && !(offset > 0 && isReader(object, offset, thread))) {
      access(object, thread, node, key, false);
    }
  }

  /** Before a field is written. */
  @ForceInline
  @Hidden
  public static void writing(Object object, Thread thread, long node, int key) {
    int offset = Shadows.offsetOf(key);
    if (offset >= 0 && object != null && !(offset > 0 && isWriter(object, offset, thread))) {
      access(object, thread, node, key, true);
    }
  }

  /** After an object is initialised a field of which may have been written before. */
  @Hidden
  public static void writtenEarly(Object object, Thread thread, long node, int key) {
    if (Shadows.areOpen && !Arena.isSink(node)) {
      long entry = Shadows.entry(object, key);
      if ((int) entry >= 0 && U.getLong(object, (int) entry) == IS_EARLY) {
        change(object, thread, entry, true);
      }
    }
  }

  /** Would a read by a thread change nothing? */
  @ForceInline
  @Hidden
  static boolean isReader(Object object, int offset, Thread thread) {
    int reader = (int) U.getLong(object, offset) & SEVERAL;
    return reader == SEVERAL || reader != 0 && reader == Shadows.number(thread);
  }

  /** Would a write by a thread change nothing? */
  @ForceInline
  @Hidden
  static boolean isWriter(Object object, int offset, Thread thread) {
    long word = U.getLong(object, offset);
    int writer = (int) (word >>> WRITER) & SEVERAL;
    return (word & IS_MUTABLE) != 0L
        && (writer == SEVERAL || writer != 0 && writer == Shadows.number(thread));
  }

  @DontInline
  @Hidden
  private static void access(Object object, Thread thread, long node, int key, boolean writes) {
    if (Shadows.areOpen && !Arena.isSink(node)) {
      change(object, thread, Shadows.entry(object, key), writes);
    }
  }

  @Hidden
  static void change(Object object, Thread thread, long entry, boolean writes) {
    int number = Shadows.numberOf(thread);
    int offset = (int) entry;
    if (number == Shadows.NOBODY || offset < 0) {
      return;
    }
    long type = Shadows.of(object);
    long birth = type == 0L ? 0L : ObjectProbe.birth(object, type, number);
    if (birth == 0L) {
      U.putLong(object, offset, IS_UNSEEN);
      return;
    }
    long before;
    long now;
    do {
      before = U.getLong(object, offset);
      now = next(before, number, birth, writes);
      if (now == before) {
        return;
      }
    } while (!U.compareAndSetLong(object, offset, before, now));
    int from = before == 0L || before == IS_EARLY ? NEVER : state(before, birth);
    int to = state(now, birth);
    if (from != to) {
      count(Arena.at(entry >>> 32), from, to, number);
      ObjectProbe.changed(object, type, from, to, number);
    }
  }

  @Hidden
  private static long next(long before, int number, long birth, boolean writes) {
    long allocator = birth & ObjectProbe.ALLOCATOR;
    long word = before;
    if (word == IS_EARLY) {
      word = IS_ACCESSED | WAS_WRITTEN_FIRST | allocator << WRITER;
    } else if (word == 0L) {
      word = IS_ACCESSED | (writes ? WAS_WRITTEN_FIRST : 0L);
    }
    int shift = writes ? WRITER : 0;
    int known = (int) (word >>> shift) & SEVERAL;
    if (known == 0) {
      word |= (long) number << shift;
    } else if (known != number) {
      word |= (long) SEVERAL << shift;
    }
    boolean constructs = number == allocator && (birth & ObjectProbe.IS_CONSTRUCTING) != 0L;
    return writes && !constructs ? word | IS_MUTABLE : word;
  }

  @Hidden
  private static void count(long field, int from, int to, int number) {
    Shadows.add(field, FIELD_OBJECTS + 8 * to, 1L, number, OTHER_FIELDS);
    if (from != NEVER) {
      Shadows.add(field, FIELD_OBJECTS + 8 * from, -1L, number, OTHER_FIELDS);
    }
  }

  /** The state of a field that was accessed; see {@link ArenaLayout#STATES}. */
  @Hidden
  private static int state(long word, long birth) {
    int state = (word & WAS_WRITTEN_FIRST) != 0L ? 1 : 0;
    state |= (word & IS_MUTABLE) != 0L ? MUTABLE : 0;
    int writer = (int) (word >>> WRITER) & SEVERAL;
    if (writer == SEVERAL) {
      return state | WRITE_SHARED;
    }
    boolean isReadByAll = ((int) word & SEVERAL) == SEVERAL;
    boolean isReadShared = isReadByAll && writer == (birth & ObjectProbe.ALLOCATOR);
    return isReadShared ? state | READ_SHARED : state;
  }
}
