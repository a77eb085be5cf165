package io.jvmscope.dump;

import java.io.IOException;
import java.util.Arrays;

/** Collects the folded edges of one context, and writes them in order, equal ones summed. */
final class BackEdges {
  /** One edge; a site of -1 is none. */
  private record Edge(int site, int target, long calls) implements Comparable<Edge> {
    @Override
    public int compareTo(Edge other) {
      int bySite = Integer.compareUnsigned(site, other.site); // none last
      return bySite != 0 ? bySite : Integer.compare(target, other.target);
    }
  }

  private Edge[] edges = new Edge[16];
  private int count;

  private final Int32Column context = new Int32Column("context_id");
  private final Int32Column site = new Int32Column("call_site_id");
  private final Int32Column target = new Int32Column("target_context_id");
  private final Int64Column calls = new Int64Column("n_calls");
  private final Table table;

  BackEdges(FrameWriter out) throws IOException {
    table = new Table(out, "back_edge", context, site, target, calls);
  }

  void add(int siteId, int targetId, long nCalls) {
    if (count == edges.length) {
      edges = Arrays.copyOf(edges, 2 * count);
    }
    edges[count++] = new Edge(siteId, targetId, nCalls);
  }

  /** Writes the edges of a context. */
  void endContext(int id) throws IOException {
    Arrays.sort(edges, 0, count);
    for (int i = 0; i < count; ) {
      Edge first = edges[i];
      long sum = 0;
      for (; i < count && edges[i].compareTo(first) == 0; i++) {
        sum += edges[i].calls();
      }
      context.add(id);
      site.addId(first.site());
      target.add(first.target());
      calls.add(sum);
      table.endRow();
    }
    count = 0;
  }

  void finish() throws IOException {
    table.finish();
  }
}
