package io.jvmscope.classfile;

/**
 * What a probe keeps in the nodes of methods besides calls and blocks; {@link MethodPlan} hands out
 * the places.
 */
public interface NodeShare {
  /** Are blocks counted in stretches, each of which ends with an instruction that may throw? */
  default boolean splitsBlocks() {
    return false;
  }

  /**
   * Slots that lead, from all nodes of a method in a thread, to the same place. They come before
   * those of call sites.
   */
  default int sharedSlots() {
    return 0;
  }

  /** Slots of its own in the nodes of a method. They come behind those of call sites. */
  default int slots(MethodPlan plan) {
    return 0;
  }

  /** Counters of its own in the nodes of a method. */
  default int counters(MethodPlan plan) {
    return 0;
  }
}
