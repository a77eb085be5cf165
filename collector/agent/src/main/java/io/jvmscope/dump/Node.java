package io.jvmscope.dump;

/**
 * Layout of a node in the {@link Arena}: offsets in bytes from its address, and the ids that stand
 * in place of a method's. Slots are 32-bit links before the node, slot k at -4 (k + 1); counters
 * are 64-bit numbers behind its head.
 */
final class Node {
  /** 32 bits: id of the method, as the agent numbered it; negative for the kinds below. */
  static final int METHOD = 0;

  /** 32 bits: link of the next node in the same slot. */
  static final int NEXT = 4;

  /** 32 bits: link of the parent; {@link TreeSorter} leaves the size of the subtree here. */
  static final int PARENT = 8;

  static final int SIZE = PARENT;

  /** 32 bits: slot in the parent below, flags above. */
  static final int FLAGS = 12;

  /** 64 bits each; counter 0 holds the calls. */
  static final int COUNTERS = 16;

  /** Flag: calls were folded into this node. */
  static final int FOLDED = 1 << 16;

  /** Flag, set by {@link TreeSorter}: some slot of the node holds a proxy. */
  static final int HAS_PROXIES = 1 << 24;

  /** Not a node but a place that swallows; or a node whose calls were taken back. */
  static final int SINK = -2;

  /** The root of a thread; see {@link ThreadRoot}. */
  static final int ROOT = -3;

  /** Not a node but a table of the nodes of one slot. */
  static final int TABLE = -4;

  static final int TABLE_CAPACITY = 16;
  static final int TABLE_LINKS = 24;

  /** Not a node but an edge that was folded. */
  static final int PROXY = -5;

  static final int PROXY_CALLS = 16;
  static final int PROXY_TARGET = 24;
  static final int PROXY_METHOD = 28;

  /** Not a node but the number of calls that objects of one class received, in a chain of such. */
  static final int RECEIVERS = -6;

  static final int RECEIVER_CALLS = 16;
  static final int RECEIVER_CLASS = 24;

  /** A node that {@link TreeSorter} merged into another, whose link is in place of the parent. */
  static final int MERGED = -16;

  private Node() {}

  /** The slot's distance from its node. */
  static long slot(int slot) {
    return -4L * (slot + 1);
  }
}
