package jdk.internal.perf;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The words of objects that cannot have them in fields: those of {@code Object} itself, arrays, and
 * instances of classes whose layout the VM relies on. A hash table of weak references, by identity.
 * It grows with the objects that are alive: what is dead is thrown away whenever it is full.
 *
 * <p>It finds an object by the hash code in the header. Where there is none yet, it does not have
 * the VM make one, as that would change those of all later objects: it {@linkplain LentHashes
 * lends} the object one that the program does not see.
 */
final class SideWords {
  private static final Unsafe U = Unsafe.getUnsafe();
  private static final long REFERENT = U.objectFieldOffset(Reference.class, "referent");

  /** Where an entry has the words. */
  static final long LOCK = U.objectFieldOffset(Entry.class, "lock");

  static final long HASH = U.objectFieldOffset(Entry.class, "hash");

  private static final long SEEN = U.objectFieldOffset(Entry.class, "seen");

  private static final int INITIAL = 256;

  /** The {@link SpinLock} of whoever changes the table; who reads it needs none. */
  private static final long TABLE_LOCK = Arena.zeroed(8);

  private static Entry[] table = new Entry[INITIAL];
  private static int count;

  private SideWords() {}

  /** The words of one object. */
  static final class Entry extends WeakReference<Object> {
    private final int key;
    private Entry next;
    long lock;
    long hash;

    /** Where the key is lent: the hash code that the program sees; 0 until it asks. */
    private int seen;

    Entry(Object object, int key) {
      super(object);
      this.key = key;
    }

    /** Is a number the key under which the object is known? */
    @Hidden
    boolean hasKey(int number) {
      return key == number;
    }

    /** The hash code that the program sees in the place of a lent one. */
    @Hidden
    int seen() {
      if (U.getInt(this, SEEN) == 0) {
        U.compareAndSetInt(this, SEEN, 0, System.identityHashCode(new Object()));
      }
      return U.getIntVolatile(this, SEEN);
    }
  }

  /**
   * The words of an object; null if there is no memory for them.
   *
   * @param isAsked is it the program that asks for the identity hash code now?
   */
  @Hidden
  static Object of(Object object, boolean isAsked) {
    int key = isAsked ? System.identityHashCode(object) : LentHashes.of(object);
    Entry found = find(object, key);
    return found == null ? make(object, key) : found;
  }

  /** The entry of an object that the table has; else null. */
  @Hidden
  static Entry known(Object object, int key) {
    Entry found = find(object, key);
    if (found == null) { // or another thread moves it
      SpinLock.lock(TABLE_LOCK);
      found = find(object, key);
      SpinLock.unlock(TABLE_LOCK);
    }
    return found;
  }

  /**
   * The entry of an object. While another thread moves the entries, one that the table has may not
   * be found, as their chains change; what is found is right, as no two entries have one object.
   */
  @Hidden
  private static Entry find(Object object, int key) {
    Entry[] entries = table;
    Entry entry = entries[key & entries.length - 1];
    while (entry != null && U.getReference(entry, REFERENT) != object) {
      entry = entry.next;
    }
    return entry;
  }

  /** Adds an entry for an object, unless there is one; null if there is no memory for it. */
  @DontInline
  @Hidden
  private static Entry make(Object object, int key) {
    SpinLock.reach();
    long slot = ThreadSlot.pause(); // the constructors of references count
    try {
      return add(object, key, new Entry(object, key));
    } catch (OutOfMemoryError e) {
      ArenaHeader.countWithoutRoom();
      return null;
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  @Hidden
  private static Entry add(Object object, int key, Entry made) {
    SpinLock.lock(TABLE_LOCK);
    try {
      Entry found = find(object, key);
      if (found == null) {
        add(made);
      }
      return found == null ? made : found;
    } finally {
      SpinLock.unlock(TABLE_LOCK);
    }
  }

  @Hidden
  private static void add(Entry entry) {
    if (count == table.length) {
      move(table.length);
      if (count > table.length >> 1) {
        move(2 * table.length);
      }
    }
    link(table, entry);
    count++;
  }

  /** Moves the entries of objects that are alive into a new table. */
  @Hidden
  private static void move(int length) {
    Entry[] moved = new Entry[length];
    int alive = 0;
    for (int k = 0; k < table.length; k++) {
      Entry entry = table[k];
      while (entry != null) {
        Entry next = entry.next;
        if (U.getReference(entry, REFERENT) != null) {
          link(moved, entry);
          alive++;
        }
        entry = next;
      }
    }
    table = moved;
    count = alive;
  }

  @Hidden
  private static void link(Entry[] entries, Entry entry) {
    int at = entry.key & entries.length - 1;
    entry.next = entries[at];
    entries[at] = entry;
  }
}
