package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.MERGED;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.PARENT;
import static jdk.internal.perf.ArenaLayout.SIZE;

import io.jvmscope.arena.Arena;
import java.util.Arrays;

/**
 * The contexts by the links of their nodes, and how far they are from each other. All contexts of a
 * run are in it, in 16 bytes each: compilers have tens of millions.
 */
final class ContextPaths {
  private static final int NONE = -1;

  private final Arena arena;
  private long[] nodes = new long[1 << 10]; // links, and ids below; in their order once isSorted
  private int[] parents = new int[1 << 10];
  private int[] depths = new int[1 << 10];
  private int count;
  private boolean isSorted;

  private int[] open = new int[1 << 6]; // from the root to the last context
  private int[] ends = new int[1 << 6]; // of their subtrees
  private int depth;

  ContextPaths(Arena arena) {
    this.arena = arena;
  }

  /** The next context in pre-order; all are there before any is looked for. */
  void add(int id, long address) {
    while (depth > 0 && ends[depth - 1] <= id) {
      depth--;
    }
    if (id >= parents.length) {
      int length = Math.max(id + 1, parents.length + (parents.length >> 2));
      parents = Arrays.copyOf(parents, length);
      depths = Arrays.copyOf(depths, length);
    }
    parents[id] = depth == 0 ? NONE : open[depth - 1];
    depths[id] = depth;
    if (count == nodes.length) {
      nodes = Arrays.copyOf(nodes, count + (count >> 2));
    }
    nodes[count++] = address >>> 3 << Integer.SIZE | id;
    if (depth == open.length) {
      open = Arrays.copyOf(open, 2 * depth);
      ends = Arrays.copyOf(ends, 2 * depth);
    }
    open[depth] = id;
    ends[depth++] = id + arena.getInt(address + SIZE);
  }

  /** The context of a node; -1 if it is not in the run. */
  int find(int link) {
    int at = whole(link);
    if (at == 0) {
      return NONE;
    }
    if (!isSorted) {
      Arrays.sort(nodes, 0, count);
      isSorted = true;
    }
    int found = Arrays.binarySearch(nodes, 0, count, (long) at << Integer.SIZE);
    int place = found < 0 ? -found - 1 : found; // of the first that is not less
    return place < count && (int) (nodes[place] >> Integer.SIZE) == at ? (int) nodes[place] : NONE;
  }

  /** The node that another one was merged into, as they are of equal methods; or itself. */
  int whole(int link) {
    int at = link;
    while (at != 0 && arena.getInt(Arena.address(at) + METHOD) == MERGED) {
      at = arena.getInt(Arena.address(at) + PARENT);
    }
    return at;
  }

  /** Calls from one context up to the closest one above both, and down; -1: there is none. */
  int distance(int one, int other) {
    if (one == NONE || other == NONE) {
      return NONE;
    }
    int distance = 0;
    int from = one;
    int to = other;
    while (from != to) {
      if (from == NONE || to == NONE) {
        return NONE;
      }
      if (depths[from] >= depths[to]) {
        from = parents[from];
      } else {
        to = parents[to];
      }
      distance++;
    }
    return distance;
  }
}
