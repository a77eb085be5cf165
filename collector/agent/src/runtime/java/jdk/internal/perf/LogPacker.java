package jdk.internal.perf;

import static jdk.internal.perf.LifetimeLayout.AS_BEFORE;
import static jdk.internal.perf.LifetimeLayout.CHUNK;
import static jdk.internal.perf.LifetimeLayout.CONTEXTS;
import static jdk.internal.perf.LifetimeLayout.CONTEXT_SHIFT;
import static jdk.internal.perf.LifetimeLayout.FOLLOWERS;
import static jdk.internal.perf.LifetimeLayout.FOLLOWER_SHIFT;
import static jdk.internal.perf.LifetimeLayout.FOURTH_SHIFT;
import static jdk.internal.perf.LifetimeLayout.KIND_SHIFT;
import static jdk.internal.perf.LifetimeLayout.LOWER;
import static jdk.internal.perf.LifetimeLayout.MIX;
import static jdk.internal.perf.LifetimeLayout.MIX_ALL;
import static jdk.internal.perf.LifetimeLayout.MOST_RECORD;
import static jdk.internal.perf.LifetimeLayout.NEWEST;
import static jdk.internal.perf.LifetimeLayout.NEXT;
import static jdk.internal.perf.LifetimeLayout.PACKED_KIND_SHIFT;
import static jdk.internal.perf.LifetimeLayout.RECORD;
import static jdk.internal.perf.LifetimeLayout.SAME;
import static jdk.internal.perf.LifetimeLayout.SAME_FOURTH;
import static jdk.internal.perf.LifetimeLayout.STORED;
import static jdk.internal.perf.LifetimeLayout.THIRD_SHIFT;
import static jdk.internal.perf.LifetimeLayout.WRITTEN;
import static jdk.internal.perf.LifetimeLayout.ZERO;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Packs a chunk of the log of lifetimes, as {@link LifetimeLayout} describes. A program does the
 * same again and again, so that most records are two or three bytes then. Each chunk is packed for
 * itself. Off the heap, and by one thread at a time: that which has the log's lock.
 */
final class LogPacker {
  private static final Unsafe U = Unsafe.getUnsafe();

  /** A packed chunk. */
  static final long OUT = Arena.zeroed((long) CHUNK / RECORD * MOST_RECORD);

  private static final int FOLLOWERS_BYTES = RECORD * FOLLOWERS;
  private static final int CONTEXTS_BYTES = 4 * CONTEXTS;

  private static final long SEEN = Arena.zeroed(FOLLOWERS_BYTES);
  private static final long SEEN_CONTEXTS = Arena.zeroed(CONTEXTS_BYTES);

  /** How often to look for a record that another thread is about to write: minutes. */
  private static final long PATIENCE = 1L << 36;

  private LogPacker() {}

  /** Packs the chunk at an address; returns the bytes, and 0 if a record is never written. */
  @Hidden
  static int pack(long from) {
    U.setMemory(SEEN, FOLLOWERS_BYTES, (byte) 0);
    U.setMemory(SEEN_CONTEXTS, CONTEXTS_BYTES, (byte) 0);
    long out = OUT;
    long seen = SEEN;
    int newest = 0;
    for (long at = from; at < from + CHUNK; at += RECORD) {
      int word = kindWord(at);
      if (word == 0) {
        return 0;
      }
      int third = U.getInt(null, at + 8);
      out = packRecord(out, at, word, seen, newest);
      U.copyMemory(null, at, null, seen, RECORD);
      newest = third > newest ? third : newest;
      seen = SEEN + RECORD * followerPlace(U.getInt(null, at), word);
    }
    return (int) (out - OUT);
  }

  /** The word that is written last; waits for it. */
  @ForceInline
  @Hidden
  private static int kindWord(long at) {
    int word = U.getIntVolatile(null, at + 4);
    for (long k = 0; word == 0 && k < PATIENCE; k++) {
      word = U.getIntVolatile(null, at + 4);
    }
    return word;
  }

  @Hidden
  private static long packRecord(long to, long at, int word, long seen, int newest) {
    int context = U.getInt(null, at);
    int third = U.getInt(null, at + 8);
    int fourth = U.getInt(null, at + 12);
    boolean isAsBefore = U.getInt(null, seen) == context && U.getInt(null, seen + 4) == word;
    int howThird =
        third == newest
            ? NEWEST
            : third == newest + 1 ? NEXT : third == U.getInt(null, seen + 8) ? SAME : WRITTEN;
    int howFourth =
        fourth == 0
            ? ZERO
            : fourth == newest
                ? NEWEST
                : fourth == U.getInt(null, seen + 12) ? SAME_FOURTH : WRITTEN;
    int kind = word >>> KIND_SHIFT;
    int head = kind << PACKED_KIND_SHIFT | howFourth << FOURTH_SHIFT | howThird << THIRD_SHIFT;
    U.putByte(null, to, (byte) (isAsBefore ? head | AS_BEFORE : head));
    long out = to + 1;
    if (!isAsBefore) {
      out = putNumber(out, word & LOWER);
      out = putContext(out, context);
    }
    if (howThird == WRITTEN) {
      out = putNumber(out, zigzag(newest - third));
    }
    if (howFourth == WRITTEN) {
      out = putNumber(out, kind < STORED ? fourth : zigzag(newest - fourth));
    }
    return out;
  }

  @ForceInline
  @Hidden
  private static int zigzag(int difference) {
    return difference << 1 ^ difference >> 31;
  }

  @ForceInline
  @Hidden
  private static long putNumber(long to, int number) {
    long out = to;
    int rest = number;
    while ((rest & ~0x7F) != 0) {
      U.putByte(null, out, (byte) (rest | 0x80));
      rest >>>= 7;
      out++;
    }
    U.putByte(null, out, (byte) rest);
    return out + 1;
  }

  @ForceInline
  @Hidden
  private static long putContext(long to, int context) {
    int place = contextPlace(context);
    long known = SEEN_CONTEXTS + 4L * place;
    if (U.getInt(null, known) == context && context != 0) {
      U.putByte(null, to, (byte) place);
      return to + 1;
    }
    U.putInt(null, known, context);
    U.putByte(null, to, (byte) 0);
    U.putIntUnaligned(null, to + 1, context);
    return to + 5;
  }

  @ForceInline
  @Hidden
  private static int followerPlace(int context, int word) {
    return (context * MIX + word) * MIX_ALL >>> FOLLOWER_SHIFT;
  }

  @ForceInline
  @Hidden
  private static int contextPlace(int context) {
    int place = context * MIX >>> CONTEXT_SHIFT;
    return place == 0 ? 1 : place;
  }
}
