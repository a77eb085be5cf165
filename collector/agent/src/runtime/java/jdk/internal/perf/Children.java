package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.FIRST_LINK;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.NEXT;
import static jdk.internal.perf.ArenaLayout.PROXY;
import static jdk.internal.perf.ArenaLayout.PROXY_METHOD;
import static jdk.internal.perf.ArenaLayout.TABLE;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * The children at one slot: a chain with the newest first, or a {@link ChildTable} once they are
 * many. Only the slot's thread changes them; a reader of the file may look at any moment, so a
 * child is complete before it is linked.
 */
public final class Children {
  private static final Unsafe U = Unsafe.getUnsafe();
  private static final int CHAIN_LIMIT = 4;

  private Children() {}

  /** The node or proxy of a method among a slot's children; 0 if there is none. */
  @Hidden
  public static long find(long slot, int mid) {
    long link = Arena.linkAt(slot);
    while (link >= FIRST_LINK) {
      long node = Arena.at(link);
      int id = U.getInt(null, node + METHOD);
      if (id == TABLE) {
        return ChildTable.find(node, mid);
      }
      if (id == mid || id == PROXY && U.getInt(null, node + PROXY_METHOD) == mid) {
        return node;
      }
      link = Arena.linkAt(node + NEXT);
    }
    return 0L;
  }

  /** Puts a new child first in a slot's chain; a chain that grows long becomes a table. */
  @Hidden
  public static void link(long slot, long node) {
    long first = Arena.linkAt(slot);
    if (first < FIRST_LINK) {
      publish(slot, node);
      return;
    }
    long head = Arena.at(first);
    if (U.getInt(null, head + METHOD) == TABLE) {
      ChildTable.insertGrowing(slot, head, node);
      return;
    }
    long table = length(first) < CHAIN_LIMIT ? 0L : ChildTable.ofChain(slot, first);
    if (table == 0L) {
      U.putInt(null, node + NEXT, (int) first);
      publish(slot, node);
      return;
    }
    ChildTable.insert(table, node);
    publish(slot, table);
  }

  @Hidden
  private static int length(long first) {
    int length = 0;
    for (long at = first; at != 0L; length++) {
      at = Arena.linkAt(Arena.at(at) + NEXT);
    }
    return length;
  }

  /** Has a slot lead to a node or table from now on. */
  @Hidden
  static void publish(long slot, long node) {
    U.putIntVolatile(null, slot, Arena.linkTo(node));
  }
}
