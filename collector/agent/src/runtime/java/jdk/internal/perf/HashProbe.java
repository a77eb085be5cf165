package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.HASHED_OBJECTS;
import static jdk.internal.perf.ArenaLayout.HASH_BINS;
import static jdk.internal.perf.ArenaLayout.HASH_CALLS;
import static jdk.internal.perf.ArenaLayout.HASH_OFFSET;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Follows who asks objects for hash codes. An object has a word: three counts of 21 bits, which
 * stop at their greatest value, of the calls of a hashCode of its class's own, of identityHashCode,
 * and of the hashCode of {@code Object}.
 */
public final class HashProbe {
  private static final Unsafe U = Unsafe.getUnsafe();

  private static final int OVERRIDDEN = 0;
  private static final int IDENTITY = 1;
  private static final int DEFAULT = 2;

  private static final int BITS = 21;
  private static final long MOST = (1L << BITS) - 1L;

  private HashProbe() {}

  /** An object was cloned. */
  @Hidden
  public static Object copiedHash(Object original, Object clone) {
    ObjectUse.copied(original, clone, HASH_OFFSET);
    return clone;
  }

  /** A hashCode that is not Object's begins. */
  @ForceInline
  @Hidden
  public static void ownHash(Object object, Thread thread, long node) {
    if (ObjectUse.isFollowed(node)) {
      count(object, thread, OVERRIDDEN);
    }
  }

  /** The identity hash code of an object is asked for, or of null. */
  @ForceInline
  @Hidden
  public static void identityHash(Object object, Thread thread, long node) {
    if (object != null && ObjectUse.isFollowed(node)) {
      count(object, thread, IDENTITY);
    }
  }

  /** The hashCode of Object is about to be called. */
  @ForceInline
  @Hidden
  public static void defaultHash(Object object, Thread thread, long node) {
    if (object != null && ObjectUse.isFollowed(node)) {
      count(object, thread, DEFAULT);
    }
  }

  /** A virtual call of hashCode has returned; it was Object's unless the class says otherwise. */
  @ForceInline
  @Hidden
  public static void virtualHashed(Object object, int hash, Thread thread, long node) {
    if (!ClassWord.doesOverrideHash(object) && ObjectUse.isFollowed(node)) {
      count(object, thread, DEFAULT);
    }
  }

  /**
   * The hashCode of a superclass has returned, which may have been Object's.
   *
   * @param ofCall distance of the call's slot from the node
   */
  @ForceInline
  @Hidden
  public static int superHashed(Object object, int hash, Thread thread, long node, int ofCall) {
    if (StandIns.isReached(thread, node + ofCall) && ObjectUse.isFollowed(node)) {
      count(object, thread, DEFAULT);
    }
    return LentHashes.seenHash(object, hash);
  }

  @DontInline
  @Hidden
  private static void count(Object object, Thread thread, int kind) {
    long type = Shadows.numberOf(thread) == Shadows.NOBODY ? 0L : ObjectUse.of(object);
    if (type == 0L) {
      return;
    }
    ObjectUse.add(type + HASH_CALLS + 8L * kind, 1L);
    int offset = U.getInt(null, type + HASH_OFFSET);
    Object holder = offset == Shadows.NONE ? SideWords.of(object, kind != OVERRIDDEN) : object;
    if (holder == null) {
      return;
    }
    long at = offset == Shadows.NONE ? SideWords.HASH : offset;
    int shift = BITS * kind;
    long word;
    long calls;
    do {
      word = U.getLong(holder, at);
      calls = word >>> shift & MOST;
    } while (calls != MOST && !U.compareAndSetLong(holder, at, word, word + (1L << shift)));
    if (calls != MOST) {
      ObjectUse.count(type + HASHED_OBJECTS + 8L * HASH_BINS * kind, calls);
    }
  }
}
