package jdk.internal.perf;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.ReservedStackAccess;

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

  /** Address of an int that is 1 while a thread uses the table. */
  private static final long BUSY = Arena.zeroed(8);

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
  @ReservedStackAccess
  static Object of(Object object, boolean isAsked) {
    int key = isAsked ? System.identityHashCode(object) : LentHashes.of(object);
    Entry found = find(object, key, null);
    if (found != null) {
      return found;
    }
    long slot = ThreadSlot.pause(); // the constructors of references count
    try {
      return find(object, key, new Entry(object, key));
    } catch (OutOfMemoryError e) {
      ArenaHeader.countWithoutRoom();
      return null;
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  /** The entry of an object that the table has; else null. */
  @Hidden
  @ReservedStackAccess
  static Entry known(Object object, int key) {
    return find(object, key, null);
  }

  /** The entry of an object; if there is none, a new one. */
  @Hidden
  @ReservedStackAccess
  private static Entry find(Object object, int key, Entry made) {
    while (!U.compareAndSetInt(null, BUSY, 0, 1)) {
      // Whoever uses it does a few steps, and cannot be unmounted meanwhile.
    }
    try {
      Entry entry = table[key & table.length - 1];
      while (entry != null && U.getReference(entry, REFERENT) != object) {
        entry = entry.next;
      }
      if (entry == null && made != null) {
        add(made);
        entry = made;
      }
      return entry;
    } finally {
      U.putIntVolatile(null, BUSY, 0);
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
