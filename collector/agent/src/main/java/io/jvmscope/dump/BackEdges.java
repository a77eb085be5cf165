package io.jvmscope.dump;

import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.NEXT;
import static jdk.internal.perf.ArenaLayout.PROXY;
import static jdk.internal.perf.ArenaLayout.PROXY_CALLS;
import static jdk.internal.perf.ArenaLayout.PROXY_METHOD;
import static jdk.internal.perf.ArenaLayout.PROXY_TARGET;
import static jdk.internal.perf.ArenaLayout.SIZE;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.Methods;
import io.jvmscope.arena.RecordingDamaged;
import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Writes table {@code back_edge}: the folded edges of each context in order, equal ones summed. */
final class BackEdges {
  /** One edge. */
  private record Edge(int site, int target, long calls) implements Comparable<Edge> {
    @Override
    public int compareTo(Edge other) {
      int bySite = Integer.compare(site, other.site);
      return bySite != 0 ? bySite : Integer.compare(target, other.target);
    }
  }

  private final Arena arena;
  private final Methods methods;
  private final OpenContexts open;
  private final Map<Integer, Integer> rootChildren = new HashMap<>(); // contexts by link
  private Edge[] edges = new Edge[16];
  private int count;

  private final Int32Column context = new Int32Column("context_id");
  private final Int32Column site = new Int32Column("call_site_id");
  private final Int32Column target = new Int32Column("target_context_id");
  private final Int64Column calls = new Int64Column("n_calls");
  private final Table table;

  BackEdges(FrameWriter out, Arena arena, Methods methods, OpenContexts open) throws IOException {
    this.arena = arena;
    this.methods = methods;
    this.open = open;
    table = new Table(out, "back_edge", context, site, target, calls);
  }

  /** Forgets the thread before. */
  void beginThread() {
    rootChildren.clear();
  }

  /** Writes the edges of the deepest open context, which is of a method. */
  void write(long node, int layout, int method) throws IOException {
    int[] packed = methods.packed();
    count = 0;
    collect(arena.child(node + Arena.slot(0)), methods.upcallSite(method));
    int end = methods.sitesEnd(layout);
    for (int at = methods.sitesStart(layout); at < end; at += Methods.SITE_INTS) {
      if (packed[at] >= 0) {
        collect(arena.child(node + Arena.slot(packed[at])), methods.site(method, packed[at + 1]));
      }
    }
    Arrays.sort(edges, 0, count);
    int id = open.id[open.depth() - 1];
    for (int i = 0; i < count; ) {
      Edge first = edges[i];
      long sum = 0;
      for (; i < count && edges[i].compareTo(first) == 0; i++) {
        sum += edges[i].calls();
      }
      context.add(id);
      site.add(first.site());
      target.add(first.target());
      calls.add(sum);
      table.endRow();
    }
  }

  private void collect(int head, int siteId) {
    for (int link = head; link != 0; link = arena.getInt(Arena.address(link) + NEXT)) {
      long at = Arena.address(link);
      if (arena.getInt(at + METHOD) == PROXY) {
        int callee = methods.id(arena.getInt(at + PROXY_METHOD));
        int into = arena.getInt(at + PROXY_TARGET);
        int above = open.find(callee, into);
        add(siteId, above < 0 ? rootChild(into) : above, arena.getLong(at + PROXY_CALLS));
      }
    }
  }

  private void add(int siteId, int targetId, long nCalls) {
    if (count == edges.length) {
      edges = Arrays.copyOf(edges, 2 * count);
    }
    edges[count++] = new Edge(siteId, targetId, nCalls);
  }

  /** The context of a root's child, which may still have to be written: by the sizes before it. */
  private int rootChild(int link) {
    if (rootChildren.isEmpty()) {
      int id = open.id[0] + 1;
      int child = arena.child(Arena.address(open.link[0]) + Arena.slot(0));
      while (child != 0) {
        long at = Arena.address(child);
        if (arena.getInt(at + METHOD) != PROXY) {
          rootChildren.put(child, id);
          id += arena.getInt(at + SIZE);
        }
        child = arena.getInt(at + NEXT);
      }
    }
    Integer id = rootChildren.get(link);
    if (id == null) {
      throw new RecordingDamaged("arena: a call was folded into a node that is not above it");
    }
    return id;
  }

  void finish() throws IOException {
    table.finish();
  }
}
