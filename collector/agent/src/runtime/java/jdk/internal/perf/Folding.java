package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.EDGES_LOST;
import static jdk.internal.perf.ArenaLayout.FOLDED;
import static jdk.internal.perf.ArenaLayout.IS_FOLDED;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.PARENT;
import static jdk.internal.perf.ArenaLayout.PLACE;
import static jdk.internal.perf.ArenaLayout.PROXY;
import static jdk.internal.perf.ArenaLayout.PROXY_BYTES;
import static jdk.internal.perf.ArenaLayout.PROXY_CALLS;
import static jdk.internal.perf.ArenaLayout.PROXY_METHOD;
import static jdk.internal.perf.ArenaLayout.PROXY_TARGET;
import static jdk.internal.perf.ArenaLayout.ROOT;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * Calls that share a node that exists, with recursion folded or past the memory limit. A
 * <em>proxy</em> stands among the slot's children; it counts the calls over that edge and leads on
 * to the shared node: the nearest of the same method above, or else the thread's one node of the
 * method for all contexts without room.
 */
public final class Folding {
  private static final Unsafe U = Unsafe.getUnsafe();

  private static boolean foldsRecursion;

  private Folding() {}

  /** Folds every recursive call into its nearest ancestor of the same method from now on. */
  public static void foldRecursion() {
    foldsRecursion = true;
  }

  /**
   * The node that a call of a method folds into although there is room: the nearest of the method
   * from the caller's upwards, if recursion is folded; else 0.
   */
  @Hidden
  static long recursionTarget(long parent, int mid) {
    return foldsRecursion ? nearestAbove(parent, mid) : 0L;
  }

  /** A proxy for the node that a call folds into for want of room, not linked yet; 0 if none. */
  @Hidden
  static long withoutRoom(long parent, long slot, int mid, int shape) {
    ArenaHeader.raise(FOLDED);
    long into = nearestAbove(parent, mid);
    if (into == 0L) {
      into = overflowNode(parent, mid, shape);
    }
    return into == 0L ? 0L : newProxy(parent, slot, mid, into);
  }

  /** The node that a call of a child counts in; a proxy counts the call over its edge. */
  @Hidden
  public static long target(long child) {
    if (U.getInt(null, child + METHOD) != PROXY) {
      return child;
    }
    U.putLong(null, child + PROXY_CALLS, U.getLong(null, child + PROXY_CALLS) + 1L);
    return Arena.follow(child + PROXY_TARGET);
  }

  /** A proxy that leads to a node, not linked yet; 0 if there is no room for it either. */
  @Hidden
  static long newProxy(long parent, long slot, int mid, long into) {
    long proxy = Arena.allocateFolded(PROXY_BYTES);
    if (proxy == 0L) {
      ArenaHeader.raise(EDGES_LOST);
      return 0L;
    }
    U.putInt(null, proxy + PARENT, Arena.linkTo(parent));
    U.putInt(null, proxy + PLACE, Nodes.placeOf(parent, slot) | IS_FOLDED);
    U.putInt(null, proxy + PROXY_TARGET, Arena.linkTo(into));
    U.putInt(null, proxy + PROXY_METHOD, mid);
    U.putInt(null, proxy + METHOD, PROXY);
    U.putInt(null, into + PLACE, U.getInt(null, into + PLACE) | IS_FOLDED);
    return proxy;
  }

  /** The nearest node of a method, from a node upwards; 0 if there is none. */
  @Hidden
  private static long nearestAbove(long node, int mid) {
    for (long at = node; ; at = Arena.follow(at + PARENT)) {
      int id = U.getInt(null, at + METHOD);
      if (id == mid) {
        return at;
      }
      if (id == ROOT) {
        return 0L;
      }
    }
  }

  /** The thread's one node of a method for all contexts that found no room. */
  @Hidden
  private static long overflowNode(long parent, int mid, int shape) {
    long root = nearestAbove(parent, ROOT);
    long slot = root + Roots.OVERFLOW;
    long node = Children.find(slot, mid);
    if (node == 0L) {
      long memory = Arena.allocateFolded(Nodes.bytes(shape));
      if (memory != 0L) {
        int place = Nodes.placeOf(root, slot) | IS_FOLDED;
        node = Nodes.format(memory, root, place, mid, shape);
        Children.link(slot, node);
      }
    }
    return node;
  }
}
