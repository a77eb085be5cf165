package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.DISK_FULL;

import jdk.internal.vm.annotation.Hidden;

/** Where the nodes of calls are made; those of calls without room are made by {@link Folding}. */
public final class NewNodes {
  private NewNodes() {}

  /**
   * A child for a call that has none, not linked yet: a node of its own, or a proxy for the node
   * that the call {@linkplain Folding folds into}; 0 if there is no memory for either.
   *
   * @param slot of the caller's node
   * @param shape counters in the upper 16 bits, slots in the lower
   */
  @Hidden
  public static long make(long slot, int mid, int shape) {
    long parent = Nodes.holder(slot);
    long above = Folding.recursionTarget(parent, mid);
    if (above != 0L) {
      return Folding.newProxy(parent, slot, mid, above);
    }
    long memory = Arena.allocateNode(Nodes.bytes(shape));
    if (memory != 0L) {
      return Nodes.format(memory, parent, Nodes.placeOf(parent, slot), mid, shape);
    }
    return ArenaHeader.isRaised(DISK_FULL) ? 0L : Folding.withoutRoom(parent, slot, mid, shape);
  }
}
