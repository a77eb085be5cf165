package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.CACHE_CALLS;
import static jdk.internal.perf.ArenaLayout.CACHE_CATCHES;
import static jdk.internal.perf.ArenaLayout.CACHE_RETURNS;
import static jdk.internal.perf.ArenaLayout.FIRST_LINK;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.PARENT;
import static jdk.internal.perf.ArenaLayout.ROOT;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Simulates the method cache of a processor, one a thread: a call asks for the called method, a
 * return for the method that goes on, an exception for the method that catches it. The cache is
 * that of JOP: a method lies in consecutive blocks, a tag at the first of them names it; what is
 * missing is put behind what came last, around the end, and whatever began in its blocks is gone. A
 * method with more blocks than the cache leaves it empty.
 *
 * <p>A shape is the blocks of a method in the upper 16 bits, those of the cache in the lower. What
 * happened is counted in the node of the method that called, returned or caught.
 */
public final class MethodCache {
  private static final Unsafe U = Unsafe.getUnsafe();

  // A thread's cache: the block to be filled next, then a tag for each block, method id + 1 or 0.
  private static final int NEXT_BLOCK = 16;
  private static final int TAGS = 24;

  /** Blocks of each method that was called, by id; 0 for natives, which have no code to load. */
  private static final long SIZES;

  private static final int MOST_METHODS = 1 << 22;

  static {
    SIZES = Arena.zeroed(2L * MOST_METHODS);
  }

  private MethodCache() {}

  /** A method was entered. */
  @DontInline
  @Hidden
  public static void cacheCall(Thread thread, long node, int mid, int shape, int distance) {
    long cache = Arena.isSink(node) ? 0L : of(thread, shape);
    if (cache != 0L) {
      if (mid < MOST_METHODS) {
        U.putShort(null, SIZES + 2L * mid, (short) (shape >>> 16));
      }
      count(node + distance + CACHE_CALLS, ask(cache, mid, shape));
    }
  }

  /**
   * A method is about to return: to the nearest method above that has code to be loaded.
   *
   * @param slot of the caller
   * @param blocks of the cache
   */
  @DontInline
  @Hidden
  public static void cacheReturn(Thread thread, long node, long slot, int blocks, int distance) {
    if (Arena.isSink(node) || slot == ThreadSlot.OF_ROOT) {
      return;
    }
    long at = Arena.moved(slot);
    int mid = Arena.isSink(at) ? ROOT : methodAbove(at);
    long cache = mid == ROOT ? 0L : of(thread, blocks);
    if (cache != 0L) {
      count(node + distance + CACHE_RETURNS, ask(cache, mid, sizeOf(mid) << 16 | blocks));
    }
  }

  /** A handler of a method was entered. */
  @DontInline
  @Hidden
  public static void cacheCatch(Thread thread, long node, int mid, int shape, int distance) {
    long cache = Arena.isSink(node) ? 0L : of(thread, shape);
    if (cache != 0L) {
      count(node + distance + CACHE_CATCHES, ask(cache, mid, shape));
    }
  }

  /** The cache of a thread; 0 if there is no room for it. */
  @Hidden
  private static long of(Thread thread, int shape) {
    long root = Roots.of(thread);
    if (root == 0L) {
      return 0L;
    }
    long slot = root + Roots.CACHE;
    long link = Arena.linkAt(slot);
    if (link >= FIRST_LINK) {
      return Arena.at(link);
    }
    long cache = Arena.allocate(TAGS + 4L * (shape & 0xFFFF));
    if (cache != 0L) {
      Children.publish(slot, cache);
    }
    return cache;
  }

  /** Tells whether a method is in the cache, and puts it there if not. */
  @Hidden
  private static boolean ask(long cache, int mid, int shape) {
    int blocks = shape & 0xFFFF;
    long tags = cache + TAGS;
    for (int k = 0; k < blocks; k++) {
      if (U.getInt(null, tags + 4L * k) == mid + 1) {
        return true;
      }
    }
    int size = shape >>> 16;
    int first = U.getInt(null, cache + NEXT_BLOCK);
    int at = first;
    for (int k = 0; k < size && k < blocks; k++) {
      U.putInt(null, tags + 4L * at, 0);
      at = at + 1 == blocks ? 0 : at + 1;
    }
    if (size <= blocks) {
      U.putInt(null, tags + 4L * first, mid + 1);
      U.putInt(null, cache + NEXT_BLOCK, at);
    }
    return false;
  }

  /**
   * The nearest method with code from the node that holds a slot upwards; ROOT if there is none.
   */
  @Hidden
  private static int methodAbove(long slot) {
    for (long at = Nodes.holder(slot); ; at = Arena.follow(at + PARENT)) {
      int id = U.getInt(null, at + METHOD);
      if (id < 0 || sizeOf(id) > 0) {
        return id < 0 ? ROOT : id;
      }
    }
  }

  @Hidden
  private static int sizeOf(int mid) {
    return mid < MOST_METHODS ? U.getShort(null, SIZES + 2L * mid) & 0xFFFF : 1;
  }

  @Hidden
  private static void count(long pair, boolean isHit) {
    long counter = isHit ? pair : pair + 8;
    U.putLong(null, counter, U.getLong(null, counter) + 1L);
  }
}
