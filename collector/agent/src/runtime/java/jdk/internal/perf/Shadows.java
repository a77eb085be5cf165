package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.BIRTH_OFFSET;
import static jdk.internal.perf.ArenaLayout.BY_OFFSET;
import static jdk.internal.perf.ArenaLayout.COUNTS_OFFSET;
import static jdk.internal.perf.ArenaLayout.EARLY_BYTES;
import static jdk.internal.perf.ArenaLayout.EARLY_CLASSES;
import static jdk.internal.perf.ArenaLayout.EARLY_OBJECTS;
import static jdk.internal.perf.ArenaLayout.END_METHOD;
import static jdk.internal.perf.ArenaLayout.FIELD_BYTES;
import static jdk.internal.perf.ArenaLayout.FIELD_INDEX;
import static jdk.internal.perf.ArenaLayout.FIRST_METHOD;
import static jdk.internal.perf.ArenaLayout.OWNER;
import static jdk.internal.perf.ArenaLayout.WATCHED_CLASS;
import static jdk.internal.perf.ArenaLayout.WATCHED_CLASSES;
import static jdk.internal.perf.ArenaLayout.WATCHED_FIELDS;
import static jdk.internal.perf.ArenaLayout.WATCHED_OFFSETS;
import static jdk.internal.perf.ArenaLayout.WATCHED_PREVIOUS;
import static jdk.internal.perf.ArenaLayout.WATCHED_SIZE;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * Where the state of objects is kept: in hidden fields that classes get when they are instrumented,
 * one for each instance field, and two for the object as a whole. Code names a field by a
 * <em>key</em>; a table leads from there to the word's offset and to the counts of the field's
 * states in the arena. The agent fills it when a key is first used.
 *
 * <p>Objects are watched from the agent's start on: those that were made before have no birth.
 */
public final class Shadows {
  /** In the place of an offset: the field has no word. */
  static final int NONE = -1;

  /** The number of a thread whose accesses do not count: one of the VM's own. */
  static final int NOBODY = -1;

  /** Numbers of threads have 24 bits; this one stands for several threads. */
  static final int SEVERAL = 0xFFFFFF;

  private static final Unsafe U = Unsafe.getUnsafe();
  private static final long CLASS_FIELD = U.objectFieldOffset(Class.class, "jvmscope$shadow");
  private static final long EARLY_FIELD = U.objectFieldOffset(Class.class, "jvmscope$early");
  private static final long NUMBER_FIELD = U.objectFieldOffset(Thread.class, "jvmscope$number");

  /** In the field of a class: its objects are not watched. Otherwise a link, or 0: not known. */
  private static final int UNWATCHED = 1;

  /** Address of an int: threads that have a number. */
  private static final long THREADS = Arena.zeroed(8);

  /** Keys in a part of the table. */
  private static final int PART = 1 << 12;

  /** The most keys that there may be. */
  private static final int MOST_KEYS = 1 << 24;

  /**
   * The table: offset of the word below, link of the counts above. A compiler takes what it finds
   * there for constant; a 0 is not taken so, and stands until the key is used.
   */
  @Stable private static final long[][] ENTRIES = new long[MOST_KEYS / PART][];

  /** Are objects watched? */
  static boolean areOpen;

  /** Copies that were made before the agent, each once; null: objects are watched. */
  private static Object[] earlyCopies = new Object[64];

  private static int earlyCopyCount;

  /** The first thread of the VM; all others from before the agent are the VM's own. */
  private static Thread first;

  private Shadows() {}

  /** Watches objects from now on. */
  public static void open() {
    areOpen = true;
    earlyCopies = null;
  }

  /** An object is made before objects are watched: its class counts it. */
  @DontInline
  @Hidden
  static void beEarly(Object object, Thread thread) {
    if (first == null) {
      first = thread;
    }
    if (first == thread) {
      Class<?> type = object.getClass();
      U.putInt(type, EARLY_FIELD, U.getInt(type, EARLY_FIELD) + 1);
    }
  }

  /** As {@link #beEarly}, of a copy, which each call says that returns it. */
  @DontInline
  @Hidden
  static void beEarlyCopy(Object copy, Thread thread) {
    Object[] copies = earlyCopies;
    if (first != thread || copies == null) {
      return;
    }
    for (int k = earlyCopyCount - 1; k >= 0; k--) {
      if (copies[k] == copy) {
        return;
      }
    }
    if (earlyCopyCount == copies.length) {
      Object[] more = new Object[2 * copies.length];
      System.arraycopy(copies, 0, more, 0, copies.length);
      earlyCopies = copies = more;
    }
    copies[earlyCopyCount++] = copy;
    beEarly(copy, thread);
  }

  /** Writes how many objects of a class were made before objects were watched. */
  public static void noteEarly(Class<?> type) {
    int early = U.getInt(type, EARLY_FIELD);
    long made = early == 0 ? 0L : Arena.allocate(EARLY_BYTES);
    if (made == 0L && early != 0) {
      ArenaHeader.countWithoutRoom();
    } else if (made != 0L) {
      U.putLong(null, made + EARLY_OBJECTS, early);
      enlist(type, made, EARLY_CLASSES);
    }
  }

  /** Makes room for so many keys; false if there may not be as many. */
  public static boolean grow(int keys) {
    for (int k = 0; k < keys && k < MOST_KEYS; k += PART) {
      if (ENTRIES[k / PART] == null) {
        ENTRIES[k / PART] = new long[PART];
      }
    }
    return keys <= MOST_KEYS;
  }

  /** Where the word of a field is; {@link #NONE} if it has none, 0 if that is not known. */
  @ForceInline
  @Hidden
  static int offsetOf(int key) {
    long[] part = ENTRIES[key / PART];
    return part == null ? 0 : (int) part[key % PART];
  }

  /** What the table says of a key; the agent is asked when it is first used. */
  @Hidden
  static long entry(Object object, int key) {
    long[] part = ENTRIES[key / PART];
    if (part[key % PART] == 0L) {
      part[key % PART] = AgentPort.tellField(object.getClass(), key);
    }
    return part[key % PART];
  }

  /** Is an object no array, and of no class that is known not to be watched? */
  @ForceInline
  @Hidden
  static boolean mayBeWatched(Object object) {
    return U.getInt(object.getClass(), CLASS_FIELD) != UNWATCHED;
  }

  /** As {@link #entry}, of the field at an offset; 0 if none is there that is watched. */
  @Hidden
  static long entryAt(Object object, long offset) {
    long type = of(object);
    if (type == 0L) {
      return 0L;
    }
    long table = U.getLong(null, type + BY_OFFSET);
    if (table == 0L) {
      AgentPort.tellOffsets(object.getClass());
      table = U.getLongVolatile(null, type + BY_OFFSET);
    }
    boolean isInside = table != 0L && offset > 0 && offset < U.getLong(null, table);
    return isInside ? U.getLong(null, table + (offset << 3)) : 0L;
  }

  /** The number that a thread has as a reader and writer. */
  @ForceInline
  @Hidden
  static int number(Thread thread) {
    return U.getInt(thread, NUMBER_FIELD);
  }

  /** The same; it gets one if it has none. */
  @Hidden
  static int numberOf(Thread thread) {
    int number = U.getInt(thread, NUMBER_FIELD);
    if (number != 0) {
      return number;
    }
    if (ThreadDescription.isInternal(thread)) {
      number = NOBODY;
    } else {
      do {
        number = U.getInt(null, THREADS) + 1;
      } while (number < SEVERAL && !U.compareAndSetInt(null, THREADS, number - 1, number));
    }
    U.putInt(thread, NUMBER_FIELD, number < SEVERAL ? number : SEVERAL - 1);
    return U.getInt(thread, NUMBER_FIELD);
  }

  /** What the arena knows of the class of an object; 0 if its objects are not watched. */
  @ForceInline
  @Hidden
  static long of(Object object) {
    int link = U.getInt(object.getClass(), CLASS_FIELD);
    return link == 0 ? find(object) : address(link);
  }

  /** The same, without asking the agent: 0 as long as no object of the class was seen. */
  @ForceInline
  @Hidden
  static long known(Object object) {
    return address(U.getInt(object.getClass(), CLASS_FIELD));
  }

  @DontInline
  @Hidden
  private static long find(Object object) {
    Class<?> type = object.getClass();
    if (AllocationProbe.lengthOf(object) >= 0) {
      U.putInt(type, CLASS_FIELD, UNWATCHED);
    } else {
      AgentPort.tellWatched(type);
    }
    return address(U.getInt(type, CLASS_FIELD));
  }

  @ForceInline
  @Hidden
  private static long address(int link) {
    return (link & 0xFFFFFFFFL) <= UNWATCHED ? 0L : Arena.base + ((link & 0xFFFFFFFFL) << 3);
  }

  // ---- called by the agent, one thread at a time

  /** Where objects of a class have a field that the class itself declares; NONE if it does not. */
  public static int offset(Class<?> type, String name) {
    if (type.isArray()) {
      return NONE; // the VM crashes if it is asked about an array
    }
    ScopedValues values = ScopedValues.current();
    try {
      return (int) U.objectFieldOffset(type, name);
    } catch (InternalError e) {
      ScopedValues.restore(values);
      return NONE;
    }
  }

  /**
   * Watches the objects of a class; not if they have no words of their own.
   *
   * @param birth offset of the word of the birth; NONE: no words
   * @param offsets of the words of the fields
   */
  public static void watch(
      Class<?> type, int birth, int counts, int[] offsets, int firstMethod, int endMethod) {
    if (U.getInt(type, CLASS_FIELD) != 0) {
      return;
    }
    long made = Arena.allocate(WATCHED_OFFSETS + 4L * offsets.length);
    if (made == 0L || birth == NONE) {
      U.putInt(type, CLASS_FIELD, UNWATCHED);
      if (made == 0L) {
        ArenaHeader.countWithoutRoom();
      } else { // says that there are such objects
        U.putInt(null, made + BIRTH_OFFSET, NONE);
        enlist(type, made, WATCHED_CLASSES);
      }
      return;
    }
    U.putInt(null, made + WATCHED_SIZE, offsets.length);
    U.putInt(null, made + BIRTH_OFFSET, birth);
    U.putInt(null, made + COUNTS_OFFSET, counts);
    U.putInt(null, made + FIRST_METHOD, firstMethod);
    U.putInt(null, made + END_METHOD, endMethod);
    for (int k = 0; k < offsets.length; k++) {
      U.putInt(null, made + WATCHED_OFFSETS + 4L * k, offsets[k]);
    }
    enlist(type, made, WATCHED_CLASSES);
    U.putIntVolatile(type, CLASS_FIELD, Arena.linkTo(made));
  }

  /**
   * Leads from the offsets of the fields of a class's objects to their entries; a table begins with
   * its length.
   */
  public static void mapOffsets(Class<?> type, int[] offsets, long[] entries) {
    long made = address(U.getInt(type, CLASS_FIELD));
    if (made == 0L) {
      return;
    }
    int length = 1;
    for (int offset : offsets) {
      length = Math.max(length, offset + 1);
    }
    long table = Arena.zeroed(8L * length);
    U.putLong(null, table, length);
    for (int k = 0; k < offsets.length; k++) {
      if (offsets[k] > 0) {
        U.putLong(null, table + 8L * offsets[k], entries[k]);
      }
    }
    U.putLongVolatile(null, made + BY_OFFSET, table);
  }

  /** The methods of a class have other numbers: it was redefined. */
  public static void renumber(Class<?> type, int firstMethod, int endMethod) {
    long made = address(U.getInt(type, CLASS_FIELD));
    if (made != 0L) {
      U.putInt(null, made + FIRST_METHOD, firstMethod);
      U.putInt(null, made + END_METHOD, endMethod);
    }
  }

  /** Watches a field of the class that declares it; the link of its counts, 0 if no room. */
  public static int watchField(Class<?> type, int index) {
    long made = Arena.allocate(FIELD_BYTES);
    if (made == 0L) {
      ArenaHeader.countWithoutRoom();
      return 0;
    }
    U.putInt(null, made + FIELD_INDEX, index);
    enlist(type, made, WATCHED_FIELDS);
    return Arena.linkTo(made);
  }

  private static void enlist(Class<?> type, long made, int list) {
    U.putInt(null, made + WATCHED_CLASS, ClassWord.numberOf(type));
    U.putInt(null, made + WATCHED_PREVIOUS, U.getInt(null, Arena.base + list));
    U.putIntVolatile(null, Arena.base + list, Arena.linkTo(made));
  }

  /**
   * Adds to a count of a record. The thread that counts there first has counts of its own, which
   * need no compare-and-set.
   *
   * @param others from the first thread's counts to those of all others
   */
  @Hidden
  static void add(long record, int at, long delta, int number, int others) {
    int owner = U.getInt(null, record + OWNER);
    if (owner == 0 && number < SEVERAL - 1) { // the last number may be that of several threads
      U.compareAndSetInt(null, record + OWNER, 0, number);
      owner = U.getInt(null, record + OWNER);
    }
    long address = record + at;
    if (owner == number) {
      U.putLong(null, address, U.getLong(null, address) + delta);
      return;
    }
    address += others;
    long count;
    do {
      count = U.getLong(null, address);
    } while (!U.compareAndSetLong(null, address, count, count + delta));
  }
}
