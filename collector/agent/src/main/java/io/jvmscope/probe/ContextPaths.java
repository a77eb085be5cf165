package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.MERGED;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.PARENT;
import static jdk.internal.perf.ArenaLayout.SIZE;

import io.jvmscope.arena.Arena;
import java.util.Arrays;

/** The contexts by the links of their nodes, and how far they are from each other. */
final class ContextPaths {
  private static final int NONE = -1;

  private final Arena arena;
  private final IntMap ids = new IntMap();
  private int[] parents = new int[1 << 10];
  private int[] depths = new int[1 << 10];
  private int[] ends = new int[1 << 10];
  private int last = NONE;

  ContextPaths(Arena arena) {
    this.arena = arena;
  }

  /** The next context in pre-order. */
  void add(int id, long address) {
    if (id >= parents.length) {
      int length = Math.max(2 * parents.length, id + 1);
      parents = Arrays.copyOf(parents, length);
      depths = Arrays.copyOf(depths, length);
      ends = Arrays.copyOf(ends, length);
    }
    int parent = last;
    while (parent != NONE && ends[parent] <= id) {
      parent = parents[parent];
    }
    parents[id] = parent;
    depths[id] = parent == NONE ? 0 : depths[parent] + 1;
    ends[id] = id + arena.getInt(address + SIZE);
    last = id;
    ids.put((int) (address >>> 3), id);
  }

  /** The context of a node; -1 if it is not in the run. */
  int find(int link) {
    int at = whole(link);
    return at == 0 ? NONE : ids.get(at);
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
