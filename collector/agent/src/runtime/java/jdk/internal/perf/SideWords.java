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
 * <p>It uses the hash code in the objects' header, which the program cannot tell from one that
 * nobody has asked for yet.
 */
final class SideWords {
  private static final Unsafe U = Unsafe.getUnsafe();
  private static final long REFERENT = U.objectFieldOffset(Reference.class, "referent");

  /** Where an entry has the words. */
  static final long LOCK = U.objectFieldOffset(Entry.class, "lock");

  static final long HASH = U.objectFieldOffset(Entry.class, "hash");

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

    Entry(Object object, int key) {
      super(object);
      this.key = key;
    }
  }

  /** The words of an object; null if there is no memory for them. */
  @Hidden
  @ReservedStackAccess
  static Object of(Object object) {
    int key = System.identityHashCode(object);
    Entry found = find(object, key, null);
    if (found != null) {
      return found;
    }
    long slot = ThreadSlot.pause(); // the constructors of references count
    try {
      return find(object, key, new Entry(object, key));
    } catch (OutOfMemoryError e) {
      return null;
    } finally {
      ThreadSlot.resume(slot);
    }
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
