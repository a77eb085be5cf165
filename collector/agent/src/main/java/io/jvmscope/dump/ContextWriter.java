package io.jvmscope.dump;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Second walk over the trees, which {@link TreeSorter} has put into canonical form: writes the rows
 * of {@code thread}, {@code context}, {@code context_block}, {@code back_edge} and the totals by
 * thread. Contexts are numbered in pre-order over all threads; the children of a node come in the
 * order of their call sites, and those that the VM called first.
 */
final class ContextWriter {
  private static final int PROGRESS_NODES = 1 << 19;

  private final Arena arena;
  private final Methods methods;
  private final TreeSorter.Progress progress;
  private final OpenContexts open;
  private final ThreadTotals totals;
  private final BackEdges backEdges;
  private final ThreadWriter threads;
  private final ReceiverTable receivers; // null unless receivers are recorded

  private final Int32Column context = new Int32Column("context_id");
  private final Int32Column parent = new Int32Column("parent_id");
  private final Int32Column thread = new Int32Column("thread_id");
  private final Int32Column method = new Int32Column("method_id");
  private final Int32Column callSite = new Int32Column("call_site_id");
  private final Int32Column depth = new Int32Column("depth");
  private final Int32Column size = new Int32Column("size");
  private final Int64Column calls = new Int64Column("n_calls");
  private final Int64Column bytecodes = new Int64Column("n_bytecodes");
  private final Int32Column ancestor = new Int32Column("ancestor_id");
  private final BoolColumn folded = new BoolColumn("is_folded");
  private final Table contexts;

  private final Int32Column blockContext = new Int32Column("context_id");
  private final Int32Column block = new Int32Column("basic_block_id");
  private final Int64Column executions = new Int64Column("n_executions");
  private final Table blocks;

  private final Map<Integer, Integer> rootChildren = new HashMap<>(); // contexts by link
  private final Int32Column segmentContext = new Int32Column("context_id");
  private final Int32Column segment = new Int32Column("block_segment_id");
  private final Int64Column segmentExecutions = new Int64Column("n_executions");
  private final Table segments; // null unless segments are recorded

  private int threadId;
  private int nextId;
  private int mainContext = -1;
  private int mainClass = -1;
  private boolean mayHoldMain;

  ContextWriter(
      Arena arena,
      Methods methods,
      FrameWriter out,
      boolean hasSegments,
      ReceiverTable receivers,
      TreeSorter.Progress progress)
      throws IOException {
    this.arena = arena;
    this.methods = methods;
    this.receivers = receivers;
    this.progress = progress;
    open = new OpenContexts(methods.count());
    threads = new ThreadWriter(out);
    contexts =
        new Table(
            out, "context", context, parent, thread, method, callSite, depth, size, calls,
            bytecodes, ancestor, folded);
    blocks = new Table(out, "context_block", blockContext, block, executions);
    segments =
        hasSegments
            ? new Table(out, "context_segment", segmentContext, segment, segmentExecutions)
            : null;
    backEdges = new BackEdges(out);
    totals = new ThreadTotals(out, methods);
  }

  /** Number of contexts written. */
  int count() {
    return nextId;
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
    rootChildren.clear();
    threads.write(root, id, nextId);
    openRoot(root.address());
    while (open.depth() > 0) {
      int top = open.depth() - 1;
      int child = open.sibling[top];
      if (child == 0) {
        advance(top);
        continue;
      }
      long at = Arena.address(child);
      open.sibling[top] = arena.getInt(at + Node.NEXT);
      int number = arena.getInt(at + Node.METHOD);
      if (number != Node.PROXY) {
        openNode(top, child, number);
      }
    }
    totals.endThread(id);
  }

  private void openRoot(long node) throws IOException {
    context.add(nextId);
    parent.addNull();
    thread.add(threadId);
    method.addNull();
    callSite.addNull();
    depth.add(0);
    size.add(arena.getInt(node + Node.SIZE));
    calls.add(0);
    bytecodes.add(0);
    ancestor.addNull();
    folded.add(false);
    contexts.endRow();
    push(node, (int) (node >>> 3), -1, 0, -1);
  }

  private void openNode(int top, int link, int number) throws IOException {
    long node = Arena.address(link);
    int id = methods.id(number);
    int layout = methods.layout(number);
    int flags = arena.getInt(node + Node.FLAGS);
    long nCalls = arena.getLong(node + Node.COUNTERS);
    long nBytecodes = writeBlocks(node, layout);
    addContext(top, id, open.childSite[top], arena.getInt(node + Node.SIZE), nCalls, nBytecodes);
    ancestor.addId(open.nearest(id));
    folded.add((flags & Node.FOLDED) != 0);
    contexts.endRow();
    if (mayHoldMain && top == 0 && methods.isMain(number)) {
      mainContext = nextId;
      mainClass = methods.owner(number);
      mayHoldMain = false;
    }
    int receiverSlot = methods.packed()[layout + Methods.RECEIVERS];
    if (receiverSlot >= 0 && receivers != null && open.isDispatched[top]) {
      receivers.write(nextId, node + Node.slot(receiverSlot), methods.owner(number));
    }
    int own = methods.hasUpcalls(id) ? methods.upcallSite(id) : -1;
    push(node, link, id, layout, own);
    if ((flags & Node.HAS_PROXIES) != 0) {
      writeBackEdges(node, layout, id);
    }
    if (nextId % PROGRESS_NODES == 0) {
      progress.at(nextId);
    }
  }

  /** Adds all columns but the last two. */
  private void addContext(
      int top, int id, int site, int nodes, long nCalls, long nBytecodes) {
    context.add(nextId);
    parent.add(open.id[top]);
    thread.add(threadId);
    method.add(id);
    callSite.addId(site);
    depth.add(top + 1);
    size.add(nodes);
    calls.add(nCalls);
    bytecodes.add(nBytecodes);
    totals.addMethod(id, nCalls, nBytecodes);
  }

  private void push(long node, int link, int id, int layout, int ownSite) {
    int top = open.depth();
    open.push(link, nextId++, id);
    int[] packed = methods.packed();
    open.site[top] =
        layout + Methods.HEAD_INTS + Methods.BLOCK_INTS * packed[layout + Methods.BLOCKS];
    open.sibling[top] = arena.child(node + Node.slot(0));
    open.childSite[top] = ownSite;
    open.isDispatched[top] = false;
  }

  /** Goes on to the next site of the deepest context that has a child, or closes the context. */
  private void advance(int top) throws IOException {
    int id = open.method[top];
    if (id >= 0) {
      int link = open.link[top];
      long node = Arena.address(link);
      int layout = methods.layout(arena.getInt(node + Node.METHOD));
      int[] packed = methods.packed();
      int end =
          layout
              + Methods.HEAD_INTS
              + Methods.BLOCK_INTS * packed[layout + Methods.BLOCKS]
              + Methods.SITE_INTS * packed[layout + Methods.SITES];
      for (int site = open.site[top]; site < end; site += Methods.SITE_INTS) {
        int index = packed[site];
        if (index < 0) {
          writeLeaf(top, site, arena.getLong(node + Node.COUNTERS + 8L * ~index));
          continue;
        }
        int head = arena.child(node + Node.slot(index));
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
    addContext(top, leaf, methods.site(open.method[top], packed[site + 1]), 1, nCalls, 0);
    ancestor.addId(open.nearest(leaf));
    folded.add(false);
    contexts.endRow();
    nextId++;
  }

  /** Writes the executed blocks of a node; the number of bytecodes. */
  private long writeBlocks(long node, int layout) throws IOException {
    int[] packed = methods.packed();
    int first = packed[layout + Methods.FIRST_BLOCK];
    int at = layout + Methods.HEAD_INTS;
    long nBytecodes = 0;
    for (int i = 0; i < packed[layout + Methods.BLOCKS]; i++, at += Methods.BLOCK_INTS) {
      long n = arena.getLong(node + packed[at]);
      if (n != 0) {
        nBytecodes += n * packed[at + 1];
        blockContext.add(nextId);
        block.add(first + i);
        executions.add(n);
        blocks.endRow();
        totals.addBlock(first + i, n);
      }
    }
    if (packed[layout + Methods.SEGMENTS] > 0) {
      writeSegments(node, layout, at + Methods.SITE_INTS * packed[layout + Methods.SITES]);
    }
    return nBytecodes;
  }

  private void writeSegments(long node, int layout, int start) throws IOException {
    int[] packed = methods.packed();
    for (int i = 0; i < packed[layout + Methods.SEGMENTS]; i++) {
      long n = arena.getLong(node + packed[start + i]);
      if (n != 0) {
        segmentContext.add(nextId);
        segment.add(packed[layout + Methods.FIRST_SEGMENT] + i);
        segmentExecutions.add(n);
        segments.endRow();
      }
    }
  }

  private void writeBackEdges(long node, int layout, int id) throws IOException {
    int[] packed = methods.packed();
    int site = layout + Methods.HEAD_INTS + Methods.BLOCK_INTS * packed[layout + Methods.BLOCKS];
    int end = site + Methods.SITE_INTS * packed[layout + Methods.SITES];
    addBackEdges(arena.child(node + Node.slot(0)), methods.upcallSite(id));
    for (; site < end; site += Methods.SITE_INTS) {
      if (packed[site] >= 0) {
        int head = arena.child(node + Node.slot(packed[site]));
        addBackEdges(head, methods.site(id, packed[site + 1]));
      }
    }
    backEdges.endContext(open.id[open.depth() - 1]);
  }

  private void addBackEdges(int head, int site) {
    for (int link = head; link != 0; link = arena.getInt(Arena.address(link) + Node.NEXT)) {
      long at = Arena.address(link);
      if (arena.getInt(at + Node.METHOD) == Node.PROXY) {
        int callee = methods.id(arena.getInt(at + Node.PROXY_METHOD));
        int into = arena.getInt(at + Node.PROXY_TARGET);
        int target = open.find(callee, into);
        backEdges.add(
            site, target < 0 ? rootChild(into) : target, arena.getLong(at + Node.PROXY_CALLS));
      }
    }
  }

  /** The context of a root's child, which may still have to be written: by the sizes before it. */
  private int rootChild(int link) {
    if (rootChildren.isEmpty()) {
      int id = open.id[0] + 1;
      int child = arena.child(Arena.address(open.link[0]) + Node.slot(0));
      while (child != 0) {
        long at = Arena.address(child);
        if (arena.getInt(at + Node.METHOD) != Node.PROXY) {
          rootChildren.put(child, id);
          id += arena.getInt(at + Node.SIZE);
        }
        child = arena.getInt(at + Node.NEXT);
      }
    }
    Integer id = rootChildren.get(link);
    if (id == null) {
      throw new RecordingDamaged("arena: a call was folded into a node that is not above it");
    }
    return id;
  }

  void finish() throws IOException {
    threads.finish();
    contexts.finish();
    blocks.finish();
    if (receivers != null) {
      receivers.finish();
    }
    if (segments != null) {
      segments.finish();
    }
    backEdges.finish();
    totals.finish();
  }
}
