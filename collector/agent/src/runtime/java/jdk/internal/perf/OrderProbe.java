package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.CELLS;
import static jdk.internal.perf.ArenaLayout.CELLS_SLOT;
import static jdk.internal.perf.ArenaLayout.CELL_BYTES;
import static jdk.internal.perf.ArenaLayout.CELL_CHANGES;
import static jdk.internal.perf.ArenaLayout.CELL_EXECUTIONS;
import static jdk.internal.perf.ArenaLayout.CELL_LAST;
import static jdk.internal.perf.ArenaLayout.CELL_LAST_TARGET;
import static jdk.internal.perf.ArenaLayout.CELL_TARGET_CHANGES;
import static jdk.internal.perf.ArenaLayout.FIRST_LINK;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.PARENT;
import static jdk.internal.perf.ArenaLayout.PLACE;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Keeps, per thread, what a call site or branch did last, and counts how often it then did
 * something else. A thread has one block of cells for each method that it runs; all nodes of the
 * method lead there by their slot 1.
 */
public final class OrderProbe {
  private static final Unsafe U = Unsafe.getUnsafe();

  /** Distance of the slot that leads from a node to its method's cells. */
  private static final int SLOT = -4 * (CELLS_SLOT + 1);

  /** Slots of a node before those of its call sites. */
  private static final int FIRST_SITE = CELLS_SLOT + 1;

  private OrderProbe() {}

  /**
   * Sees that a node leads to its thread's cells of the method, one a call site and branch.
   *
   * @param cells their number
   * @param loading how many sites name loadClass, each of which {@link #keepLoading} tells
   */
  @ForceInline
  @Hidden
  public static void keepOrder(Thread thread, long node, int cells, int loading) {
    if ((U.getInt(null, node + SLOT) & 0xFFFFFFFFL) < FIRST_LINK) {
      makeCells(thread, node, cells, loading != 0);
    }
  }

  @DontInline
  @Hidden
  private static void makeCells(Thread thread, long node, int cells, boolean loads) {
    long root = Arena.isSink(node) ? 0L : Roots.of(thread);
    if (root == 0L) {
      return;
    }
    int mid = U.getInt(null, node + METHOD);
    long block = Children.find(root + Roots.CELLS, mid);
    if (block == 0L) {
      long bytes = CELLS + (long) CELL_BYTES * cells;
      block = Arena.allocate(loads ? bytes + wordAt(cells + FIRST_SITE) + 4L : bytes);
      if (block == 0L) {
        return;
      }
      U.putInt(null, block + PLACE, loads ? cells : 0);
      U.putInt(null, block + PARENT, Arena.linkTo(root));
      U.putInt(null, block + METHOD, mid);
      Children.link(root + Roots.CELLS, block);
    }
    U.putInt(null, node + SLOT, Arena.linkTo(block));
  }

  /** Where the bit of a slot is, from the end of the cells. */
  @ForceInline
  @Hidden
  private static long wordAt(int slot) {
    return 4L * (slot >>> 5);
  }

  /** Notes a slot whose site names loadClass. */
  @ForceInline
  @Hidden
  public static void keepLoading(long node, int slot) {
    long block = Arena.linkAt(node + SLOT);
    if (block >= FIRST_LINK) {
      long word = loadingWord(Arena.at(block), slot);
      U.putInt(null, word, U.getInt(null, word) | 1 << slot);
    }
  }

  @ForceInline
  @Hidden
  private static long loadingWord(long cells, int slot) {
    return cells + CELLS + (long) CELL_BYTES * U.getInt(null, cells + PLACE) + wordAt(slot);
  }

  /**
   * Tells the caller's cell of the site which method was called, on which class. The node's parent
   * is the caller as long as no context folds; where one does, the dump leaves these tables out.
   */
  @DontInline
  @Hidden
  public static void succeed(Object receiver, long node) {
    long block = callersCells(node);
    if (block != 0L) {
      follow(receiver, node, block);
    }
  }

  /**
   * The same for loadClass, which the VM itself calls, below the slot of a site that names a class
   * it has not loaded yet. Only where the site names loadClass is it a call.
   */
  @DontInline
  @Hidden
  public static void succeedLoading(Object receiver, long node) {
    long block = callersCells(node);
    if (block != 0L) {
      long cells = Arena.at(block);
      int slot = U.getInt(null, node + PLACE) & 0xFFFF;
      boolean loads = U.getInt(null, cells + PLACE) != 0;
      if (loads && (U.getInt(null, loadingWord(cells, slot)) & 1 << slot) != 0) {
        follow(receiver, node, block);
      }
    }
  }

  /** The link of the caller's cells; 0 if no call site of a method with cells called. */
  @ForceInline
  @Hidden
  private static long callersCells(long node) {
    if (Arena.isSink(node) || (U.getInt(null, node + PLACE) & 0xFFFF) < FIRST_SITE) {
      return 0L;
    }
    long caller = Arena.follow(node + PARENT);
    long block = Arena.linkAt(caller + SLOT);
    return block < FIRST_LINK || U.getInt(null, caller + METHOD) < 0 ? 0L : block;
  }

  @ForceInline
  @Hidden
  private static void follow(Object receiver, long node, long block) {
    int slot = U.getInt(null, node + PLACE) & 0xFFFF;
    long cell = Arena.at(block) + CELLS + (long) CELL_BYTES * (slot - FIRST_SITE);
    count(cell + CELL_EXECUTIONS);
    int type = ClassWord.numberOf(receiver.getClass());
    if (U.getInt(null, cell + CELL_LAST) != type) {
      count(cell + CELL_CHANGES);
      U.putInt(null, cell + CELL_LAST, type);
    }
    int target = U.getInt(null, node + METHOD);
    if (U.getInt(null, cell + CELL_LAST_TARGET) != target) {
      count(cell + CELL_TARGET_CHANGES);
      U.putInt(null, cell + CELL_LAST_TARGET, target);
    }
  }

  /** Tells a branch's cell which way it went; ways are numbered from 1. */
  @ForceInline
  @Hidden
  public static void branch(long node, int cell, int way) {
    long block = U.getInt(null, node + SLOT) & 0xFFFFFFFFL;
    if (block >= FIRST_LINK) {
      long at = Arena.base + (block << 3) + CELLS + (long) CELL_BYTES * cell;
      count(at + CELL_EXECUTIONS);
      int last = U.getInt(null, at + CELL_LAST);
      if (last != way) {
        U.putInt(null, at + CELL_LAST, way);
        if (last != 0) {
          count(at + CELL_CHANGES);
        }
      }
    }
  }

  @ForceInline
  @Hidden
  private static void count(long address) {
    U.putLong(null, address, U.getLong(null, address) + 1L);
  }
}
