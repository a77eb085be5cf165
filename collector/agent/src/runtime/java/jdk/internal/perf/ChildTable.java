package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.NEXT;
import static jdk.internal.perf.ArenaLayout.PARENT;
import static jdk.internal.perf.ArenaLayout.TABLE;
import static jdk.internal.perf.ArenaLayout.TABLE_CAPACITY;
import static jdk.internal.perf.ArenaLayout.TABLE_LINKS;
import static jdk.internal.perf.ArenaLayout.TABLE_USED;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * The children of a megamorphic slot, by method: open addressing, never more than half full. A
 * reader that sees a table while it grows sees the old one or the new one, whole.
 */
final class ChildTable {
  private static final Unsafe U = Unsafe.getUnsafe();

  private static final int FIRST_CAPACITY = 16;

  private ChildTable() {}

  /** The node or proxy of a method; 0 if there is none. */
  @Hidden
  static long find(long table, int mid) {
    int mask = U.getInt(null, table + TABLE_CAPACITY) - 1;
    for (int i = hash(mid) & mask; ; i = i + 1 & mask) {
      long link = Arena.linkAt(table + TABLE_LINKS + 4L * i);
      if (link == 0L) {
        return 0L;
      }
      long node = Arena.at(link);
      if (Nodes.methodOf(node) == mid) {
        return node;
      }
    }
  }

  /** A table of a chain's nodes, not linked yet; 0 if the disk is full. */
  @Hidden
  static long ofChain(long slot, long first) {
    long table = allocate(slot, FIRST_CAPACITY);
    if (table != 0L) {
      for (long at = first; at != 0L; ) {
        long child = Arena.at(at);
        insert(table, child);
        at = Arena.linkAt(child + NEXT);
      }
    }
    return table;
  }

  /** Puts a node into a slot's table, or into a larger one that takes its place. */
  @Hidden
  static void insertGrowing(long slot, long table, long node) {
    int capacity = U.getInt(null, table + TABLE_CAPACITY);
    if (2 * (U.getInt(null, table + TABLE_USED) + 1) <= capacity) {
      insert(table, node);
      return;
    }
    long larger = allocate(slot, 2 * capacity);
    if (larger == 0L) { // the disk is full, which the header says
      return;
    }
    for (int i = 0; i < capacity; i++) {
      long link = Arena.linkAt(table + TABLE_LINKS + 4L * i);
      if (link != 0L) {
        insert(larger, Arena.at(link));
      }
    }
    insert(larger, node);
    Children.publish(slot, larger);
  }

  @Hidden
  private static long allocate(long slot, int capacity) {
    long parent = Nodes.holder(slot);
    long table = Arena.allocate(TABLE_LINKS + 4L * capacity);
    if (table != 0L) {
      U.putInt(null, table + PARENT, Arena.linkTo(parent));
      U.putInt(null, table + TABLE_CAPACITY, capacity);
      U.putInt(null, table + METHOD, TABLE);
    }
    return table;
  }

  /** Puts a node into a table that has room. */
  @Hidden
  static void insert(long table, long node) {
    int mask = U.getInt(null, table + TABLE_CAPACITY) - 1;
    int i = hash(Nodes.methodOf(node)) & mask;
    while (U.getInt(null, table + TABLE_LINKS + 4L * i) != 0) {
      i = i + 1 & mask;
    }
    U.putInt(null, table + TABLE_USED, U.getInt(null, table + TABLE_USED) + 1);
    Children.publish(table + TABLE_LINKS + 4L * i, node);
  }

  @Hidden
  private static int hash(int mid) {
    int h = mid * 0x9E3779B9;
    return h ^ h >>> 15;
  }
}
