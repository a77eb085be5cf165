package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.COUNTERS;
import static jdk.internal.perf.ArenaLayout.EMPTY;
import static jdk.internal.perf.ArenaLayout.FIRST_LINK;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.PARENT;
import static jdk.internal.perf.ArenaLayout.PLACE;
import static jdk.internal.perf.ArenaLayout.PROXY;
import static jdk.internal.perf.ArenaLayout.PROXY_METHOD;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/** Nodes of calling context trees: how one is laid out in the arena, and what it says of itself. */
final class Nodes {
  private static final Unsafe U = Unsafe.getUnsafe();

  private Nodes() {}

  /** Bytes of a node of a shape: its slots, which lie below its address, and what lies above. */
  @Hidden
  static long bytes(int shape) {
    return slotBytes(shape) + COUNTERS + 8L * (shape >>> 16);
  }

  @Hidden
  private static long slotBytes(int shape) {
    return 4L * (shape & 0xFFFF) + 7 & -8L;
  }

  /**
   * Makes a node of fresh memory, not linked yet.
   *
   * @param memory {@link #bytes} zeroed bytes
   * @param place the slot of the parent, or beside it a flag
   * @param shape counters in the upper 16 bits, slots in the lower
   */
  @Hidden
  static long format(long memory, long parent, int place, int mid, int shape) {
    long node = memory + slotBytes(shape);
    emptySlots(node, shape & 0xFFFF);
    U.putInt(null, node + PARENT, Arena.linkTo(parent));
    U.putInt(null, node + PLACE, place);
    U.putInt(null, node + METHOD, mid);
    return node;
  }

  /** Marks a fresh node's slots as empty. */
  @Hidden
  static void emptySlots(long node, int count) {
    for (int k = 0; k < count; k++) {
      U.putInt(null, node - 4L * (k + 1), EMPTY + k);
    }
  }

  /** The node that holds a slot: an empty slot tells by its link, another by its first child. */
  @Hidden
  static long holder(long slot) {
    long link = Arena.linkAt(slot);
    return link < FIRST_LINK
        ? slot + 4L * (link - EMPTY + 1)
        : Arena.follow(Arena.at(link) + PARENT);
  }

  /** The number of a slot in its node. */
  @Hidden
  static int placeOf(long node, long slot) {
    return (int) (node - slot >>> 2) - 1;
  }

  /** The method of a node or proxy. */
  @Hidden
  static int methodOf(long node) {
    int id = U.getInt(null, node + METHOD);
    return id == PROXY ? U.getInt(null, node + PROXY_METHOD) : id;
  }
}
