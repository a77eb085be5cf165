package io.jvmscope.dump;

import static jdk.internal.perf.ArenaLayout.COUNTERS;
import static jdk.internal.perf.ArenaLayout.HAS_PROXIES;
import static jdk.internal.perf.ArenaLayout.IS_FOLDED;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.NEXT;
import static jdk.internal.perf.ArenaLayout.PLACE;
import static jdk.internal.perf.ArenaLayout.PROXY;
import static jdk.internal.perf.ArenaLayout.SIZE;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.Methods;
import io.jvmscope.arena.ThreadRoot;
import io.jvmscope.probe.ContextNode;
import io.jvmscope.probe.ProbeTables;
import io.jvmscope.probe.Recording;
import io.jvmscope.tables.FrameWriter;
import java.io.IOException;

/**
 * Second walk over the trees, which {@link TreeSorter} has put into canonical form: writes the rows
 * of {@code thread}, {@code context}, {@code context_block}, {@code back_edge}, the totals by
 * thread and the tables of probes. Contexts are numbered in pre-order over all threads; the
 * children of a node come in the order of their call sites, and those that the VM called first.
 */
final class ContextWriter {
  private static final int PROGRESS_NODES = 1 << 19;

  private final Arena arena;
  private final Methods methods;
  private final TreeSorter.Progress progress;
  private final OpenContexts open;
  private final ThreadTotals totals;
  private final ThreadWriter threads;
  private final ContextTable contexts;
  private final BlockCounts blocks;
  private final BackEdges backEdges;
  private final ProbeTables[] probes;
  private final ContextNode written = new ContextNode();

  private int threadId;
  private int mainContext = -1;
  private int mainClass = -1;
  private boolean mayHoldMain;

  ContextWriter(Recording recording, TreeSorter.Progress progress) throws IOException {
    FrameWriter out = recording.out();
    this.arena = recording.arena();
    this.methods = recording.methods();
    this.progress = progress;
    probes = recording.tables();
    open = new OpenContexts(methods.count());
    totals = new ThreadTotals(out, methods);
    threads = new ThreadWriter(out);
    contexts = new ContextTable(out);
    blocks = new BlockCounts(out, arena, methods, totals);
    backEdges = new BackEdges(out, arena, methods, open);
  }

  /** The context of the main class's {@code main}; -1 if it was not entered. */
  int mainContext() {
    return mainContext;
  }

  /** The class of that {@code main}; -1 if it was not entered. */
  int mainClass() {
    return mainClass;
  }

  /** Writes a thread's tree. */
  void write(ThreadRoot root, int id) throws IOException {
    threadId = id;
    mayHoldMain = mainContext < 0 && root.kind() == 0 && root.name().equals("main");
    backEdges.beginThread();
    threads.write(root, id, contexts.nextId());
    for (ProbeTables tables : probes) {
      tables.open(root, contexts.nextId());
    }
    openRoot(root.address());
    while (open.depth() > 0) {
      int top = open.depth() - 1;
      int child = open.sibling[top];
      if (child == 0) {
        advance(top);
        continue;
      }
      long at = Arena.address(child);
      open.sibling[top] = arena.getInt(at + NEXT);
      int number = arena.getInt(at + METHOD);
      if (number != PROXY) {
        openNode(top, child, number);
      }
    }
    totals.endThread(id);
    for (ProbeTables tables : probes) {
      tables.write(root, id);
    }
  }

  private void openRoot(long node) throws IOException {
    push(node, (int) (node >>> 3), -1, Methods.BARE, -1);
    contexts.place(-1, threadId, -1, -1, 0);
    contexts.count(arena.getInt(node + SIZE), 0, 0, -1, false);
  }

  private void openNode(int top, int link, int number) throws IOException {
    long node = Arena.address(link);
    int contextId = contexts.nextId();
    int id = methods.id(number);
    int layout = methods.layout(number);
    int flags = arena.getInt(node + PLACE);
    long nCalls = arena.getLong(node + COUNTERS);
    long nBytecodes = writeCounts(contextId, node, number, open.isDispatched[top]);
    totals.addMethod(id, nCalls, nBytecodes);
    int size = arena.getInt(node + SIZE);
    boolean isFolded = (flags & IS_FOLDED) != 0;
    int ancestor = open.nearest(id);
    if (mayHoldMain && top == 0 && methods.isMain(number)) {
      mainContext = contextId;
      mainClass = methods.owner(number);
      mayHoldMain = false;
    }
    push(node, link, id, layout, methods.hasUpcalls(id) ? methods.upcallSite(id) : -1);
    contexts.place(open.id[top], threadId, id, open.childSite[top], top + 1);
    contexts.count(size, nCalls, nBytecodes, ancestor, isFolded);
    if ((flags & HAS_PROXIES) != 0) {
      backEdges.write(node, layout, id);
    }
    if (contextId % PROGRESS_NODES == 0) {
      progress.at(contextId);
    }
  }

  /** Writes what was counted in a node; the number of bytecodes that it executed. */
  private long writeCounts(int contextId, long node, int number, boolean isDispatched)
      throws IOException {
    written.id = contextId;
    written.address = node;
    written.method = number;
    written.isDispatched = isDispatched;
    written.bytecodes = blocks.write(contextId, node, methods.layout(number));
    for (ProbeTables tables : probes) {
      tables.write(written);
    }
    return written.bytecodes;
  }

  private void push(long node, int link, int id, int layout, int ownSite) {
    int top = open.depth();
    open.push(link, contexts.nextId(), id);
    open.site[top] = methods.sitesStart(layout);
    open.sibling[top] = arena.child(node + Arena.slot(0));
    open.childSite[top] = ownSite;
    open.isDispatched[top] = false;
  }

  /** Goes on to the next site of the deepest context that has a child, or closes the context. */
  private void advance(int top) throws IOException {
    int id = open.method[top];
    if (id >= 0) {
      int[] packed = methods.packed();
      long node = Arena.address(open.link[top]);
      int end = methods.sitesEnd(methods.layout(arena.getInt(node + METHOD)));
      for (int site = open.site[top]; site < end; site += Methods.SITE_INTS) {
        int index = packed[site];
        if (index < 0) {
          writeLeaf(top, site, arena.getLong(node + COUNTERS + 8L * ~index));
          continue;
        }
        int head = arena.child(node + Arena.slot(index));
        if (head != 0) {
          open.site[top] = site + Methods.SITE_INTS;
          open.sibling[top] = head;
          open.childSite[top] = methods.site(id, packed[site + 1]);
          open.isDispatched[top] = (packed[site + 3] & Methods.VIRTUAL) != 0;
          return;
        }
      }
    }
    open.pop();
  }

  /** Writes the context of a leaf that is counted at its site. */
  private void writeLeaf(int top, int site, long nCalls) throws IOException {
    int[] packed = methods.packed();
    int leaf = packed[site + 2];
    if (nCalls == 0 || leaf < 0) {
      return;
    }
    int callSite = methods.site(open.method[top], packed[site + 1]);
    totals.addMethod(leaf, nCalls, 0);
    contexts.place(open.id[top], threadId, leaf, callSite, top + 1);
    contexts.count(1, nCalls, 0, open.nearest(leaf), false);
  }

  void finish() throws IOException {
    threads.finish();
    contexts.finish();
    blocks.finish();
    backEdges.finish();
    for (ProbeTables tables : probes) {
      tables.finish();
    }
    totals.finish();
  }
}
