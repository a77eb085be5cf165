package jdk.internal.perf;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Hash codes that the recording writes into the headers of objects for itself, so that the VM's own
 * sequence stays the program's: the code that the program sees is made when it asks for the first
 * time, as without the recording. Lent ones are told by their highest bit, which no number of the
 * VM's sequence has ({@code -XX:hashCode=3}); {@link SideWords} has the other one.
 */
public final class LentHashes {
  private static final Unsafe U = Unsafe.getUnsafe();

  private static final int IS_LENT = 0x4000_0000;
  private static final long HASH = 0x7FFF_FFFFL;
  private static final long LOCK_BITS = 7L;
  private static final long UNLOCKED = 1L;

  /** Where hash codes may begin in a header: above them compact headers have the class. */
  private static final int LEAST_SHIFT = 4;

  private static final int MOST_SHIFT = 11;

  private static long count; // address of an int: codes that were lent
  private static int shift; // 0: none are lent

  private LentHashes() {}

  /** Finds where this VM keeps hash codes, without having it make one. */
  static void open() {
    count = Arena.zeroed(8);
    Object probe = new Object();
    long word = U.getLong(probe, 0L);
    for (int k = LEAST_SHIFT; k <= MOST_SHIFT && shift == 0; k++) {
      U.putLong(probe, 0L, word | HASH << k);
      boolean isAll = System.identityHashCode(probe) == (int) HASH;
      U.putLong(probe, 0L, word | 1L << k);
      shift = isAll && System.identityHashCode(probe) == 1 ? k : 0;
    }
    U.putLong(probe, 0L, word);
  }

  /** The hash code in the header of an object, which is lent one if it has none. */
  @Hidden
  static int of(Object object) {
    while (shift != 0) {
      long word = U.getLong(object, 0L);
      if ((word & LOCK_BITS) != UNLOCKED) {
        break; // the header may be elsewhere
      }
      int hash = (int) (word >>> shift & HASH);
      if (hash != 0) {
        return hash;
      }
      int lent = IS_LENT | next() & IS_LENT - 1;
      if (U.compareAndSetLong(object, 0L, word, word | (long) lent << shift)) {
        return lent;
      }
    }
    return System.identityHashCode(object);
  }

  @Hidden
  private static int next() {
    int lent;
    do {
      lent = U.getInt(null, count);
    } while (!U.compareAndSetInt(null, count, lent, lent + 1));
    return lent;
  }

  /** The hash code that the program sees of an object whose identity hash code it asked for. */
  @ForceInline
  @Hidden
  public static int seenHash(Object object, int hash) {
    if (LifetimeLog.base != 0L) {
      return ObjectNumbers.seenHash(object, hash);
    }
    return (hash & IS_LENT) == 0 || shift == 0 ? hash : seenOfLent(object, hash);
  }

  @DontInline
  @Hidden
  private static int seenOfLent(Object object, int hash) {
    SideWords.Entry entry = SideWords.known(object, hash);
    return entry == null || !entry.hasKey(hash) ? hash : entry.seen(); // or one of a class's own
  }
}
