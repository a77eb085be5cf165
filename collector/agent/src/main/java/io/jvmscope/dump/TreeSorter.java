package io.jvmscope.dump;

import io.jvmscope.classfile.MethodPlan;
import java.io.IOException;
import java.util.Arrays;

/**
 * First walk over the trees: puts them into canonical form, in place. Calls by the VM move from the
 * sites' slots to the own slot; siblings become chains in the order of their canonical methods;
 * nodes of one method that thereby meet in a slot are merged; each node gets the size of its
 * subtree in contexts, leaves that are counted at sites included.
 */
final class TreeSorter {
  /** Hears of progress in bytes of the arena. */
  interface Progress {
    void at(long bytes) throws IOException;
  }

  private static final int PROGRESS_NODES = 1 << 19;

  private final Arena arena;
  private final Methods methods;
  private final UpcallRule rule;
  private final Progress progress;
  private final long mostNodes;

  private final IntStack work = new IntStack(); // links of nodes that wait
  private int[] openNode = new int[1024]; // links of the nodes whose subtree is being walked
  private int[] openBase = new int[1024]; // height of the work stack below each one's children
  private int[] openSize = new int[1024];
  private int depth;

  private long[] chain = new long[64]; // sort keys: method id, is proxy, link
  private int chained;
  private long[] misfits = new long[64];
  private int misfit;

  private long nodes;
  private long bytes;
  private long dropped;
  private boolean hasFolded;

  TreeSorter(Arena arena, Methods methods, UpcallRule rule, Progress progress) {
    this.arena = arena;
    this.methods = methods;
    this.rule = rule;
    this.progress = progress;
    this.mostNodes = arena.used() / Node.COUNTERS;
  }

  /** Nodes with an unknown method, which a killed VM may leave half made; they are left out. */
  long dropped() {
    return dropped;
  }

  /** Was any call folded into another context? */
  boolean hasFolded() {
    return hasFolded;
  }

  /** Sorts the tree below a thread's root; its size in contexts. */
  int sort(ThreadRoot root) throws IOException {
    depth = 0;
    joinSlots(root.address());
    visit((int) (root.address() >>> 3), Methods.BARE);
    while (true) {
      int top = depth - 1;
      if (work.size() > openBase[top]) {
        int link = work.pop();
        visit(link, methods.layout(arena.getInt(Arena.address(link))));
        continue;
      }
      int size = openSize[top];
      arena.putInt(Arena.address(openNode[top]) + Node.SIZE, size);
      depth = top;
      if (top == 0) {
        return size;
      }
      openSize[top - 1] = Math.addExact(openSize[top - 1], size);
    }
  }

  /** Appends what a root has in slot 1 to its slot 0. */
  private void joinSlots(long root) {
    long overflow = root + Node.slot(1);
    int head = arena.child(overflow);
    if (head == 0) {
      return;
    }
    long end = root + Node.slot(0);
    for (int next = arena.child(end); next != 0; next = arena.child(end)) {
      end = Arena.address(next) + Node.NEXT;
    }
    arena.putInt(end, head);
    arena.putInt(overflow, 0);
  }

  private void visit(int link, int layout) throws IOException {
    if (depth == openNode.length) {
      openNode = Arrays.copyOf(openNode, 2 * depth);
      openBase = Arrays.copyOf(openBase, 2 * depth);
      openSize = Arrays.copyOf(openSize, 2 * depth);
    }
    openNode[depth] = link;
    openBase[depth] = work.size();
    int[] packed = methods.packed();
    bytes += Node.COUNTERS + 8L * packed[layout + Methods.COUNTERS] + 4L * packed[layout];
    openSize[depth++] = 1 + order(Arena.address(link), layout);
    if (++nodes % PROGRESS_NODES == 0) {
      progress.at(Math.min(bytes, arena.used()));
    }
    if (nodes > mostNodes) {
      throw new RecordingDamaged("arena: links run in a circle");
    }
  }

  /** Orders the children of a node and puts them on the work stack; the number of its leaves. */
  private int order(long node, int layout) {
    int[] packed = methods.packed();
    int leaves = 0;
    misfit = 0;
    int site = layout + Methods.HEAD_INTS + Methods.BLOCK_INTS * packed[layout + Methods.BLOCKS];
    int end = site + Methods.SITE_INTS * packed[layout + Methods.SITES];
    for (; site < end; site += Methods.SITE_INTS) {
      int index = packed[site];
      if (index < 0) {
        long count = arena.getLong(node + Node.COUNTERS + 8L * ~index);
        leaves += count != 0 && packed[site + 2] >= 0 ? 1 : 0;
        continue;
      }
      long slot = node + Node.slot(index);
      int head = arena.child(slot);
      if (head != 0 && !isOrdered(head, site)) {
        gather(head);
        sortOut(site);
        relink(node, slot);
      } else if (head != 0) {
        work.push(head);
      }
    }
    orderOwn(node);
    return leaves;
  }

  /** Is a slot's chain one node that its site called? That is so nearly always. */
  private boolean isOrdered(int head, int site) {
    long at = Arena.address(head);
    int number = arena.getInt(at + Node.METHOD);
    return arena.getInt(at + Node.NEXT) == 0
        && methods.id(number) >= 0
        && rule.isCall(site, number);
  }

  private void orderOwn(long node) {
    long slot = node + Node.slot(0);
    int head = arena.child(slot);
    if (head == 0 && misfit == 0) {
      return;
    }
    gather(head);
    for (int i = 0; i < misfit; i++) {
      append(misfits[i]);
    }
    relink(node, slot);
    int caller = methods.id(arena.getInt(node + Node.METHOD));
    if (caller >= 0 && chained > 0) {
      methods.noteUpcalls(caller);
    }
  }

  /** Collects the nodes and proxies of a slot's chain, those in tables too. */
  private void gather(int head) {
    chained = 0;
    int steps = 0;
    for (int link = head; link != 0; ) {
      long at = Arena.address(link);
      if (arena.getInt(at + Node.METHOD) == Node.TABLE) {
        int capacity = arena.getInt(at + Node.TABLE_CAPACITY);
        for (int i = 0; i < capacity; i++) {
          collect(arena.getInt(at + Node.TABLE_LINKS + 4L * i));
        }
      } else {
        collect(link);
      }
      link = arena.getInt(at + Node.NEXT);
      if (++steps > mostNodes) {
        throw new RecordingDamaged("arena: siblings run in a circle at " + at);
      }
    }
  }

  private void collect(int link) {
    if (link == 0) {
      return;
    }
    long at = Arena.address(link);
    int number = arena.getInt(at + Node.METHOD);
    boolean isProxy = number == Node.PROXY;
    int id = methods.id(isProxy ? arena.getInt(at + Node.PROXY_METHOD) : number);
    if (id < 0) {
      dropped += number == Node.SINK ? 0 : 1;
      return;
    }
    append((long) id << 33 | (isProxy ? 1L << 32 : 0) | link & 0xFFFF_FFFFL);
  }

  private void append(long key) {
    if (chained == chain.length) {
      chain = Arrays.copyOf(chain, 2 * chained);
    }
    chain[chained++] = key;
  }

  private static boolean isProxy(long key) {
    return (key & 1L << 32) != 0;
  }

  /** Moves what the site did not call to the misfits. */
  private void sortOut(int site) {
    int kept = 0;
    for (int i = 0; i < chained; i++) {
      long key = chain[i];
      long at = Arena.address((int) key);
      int number = arena.getInt(at + (isProxy(key) ? Node.PROXY_METHOD : Node.METHOD));
      if (rule.isCall(site, number)) {
        chain[kept++] = key;
        continue;
      }
      if (misfit == misfits.length) {
        misfits = Arrays.copyOf(misfits, 2 * misfit);
      }
      misfits[misfit++] = key;
    }
    chained = kept;
  }

  /** Makes the collected nodes the slot's chain, in order, merged, and puts them to work. */
  private void relink(long node, long slot) {
    Arrays.sort(chain, 0, chained);
    long place = slot; // of the link to the next one
    int last = 0;
    for (int i = 0; i < chained; i++) {
      int link = (int) chain[i];
      boolean isProxy = isProxy(chain[i]);
      if (!isProxy && last != 0 && chain[i] >> 32 == chain[i - 1] >> 32) {
        merge(last, link);
        continue;
      }
      arena.putInt(place, link);
      place = Arena.address(link) + Node.NEXT;
      if (isProxy) {
        hasFolded = true;
        setFlag(node, Node.HAS_PROXIES);
        setFlag(target(Arena.address(link)), Node.FOLDED);
      } else {
        last = link;
        work.push(link);
      }
    }
    arena.putInt(place, 0);
  }

  private void setFlag(long node, int flag) {
    arena.putInt(node + Node.FLAGS, arena.getInt(node + Node.FLAGS) | flag);
  }

  /** The node that a proxy folds into; it then has its place in the proxy, if it was merged. */
  private long target(long proxy) {
    int link = arena.getInt(proxy + Node.PROXY_TARGET);
    while (arena.getInt(Arena.address(link) + Node.METHOD) == Node.MERGED) {
      link = arena.getInt(Arena.address(link) + Node.PARENT);
    }
    arena.putInt(proxy + Node.PROXY_TARGET, link);
    return Arena.address(link);
  }

  /** Adds a node of the same method to another, which has not been visited yet. */
  private void merge(int intoLink, int fromLink) {
    long into = Arena.address(intoLink);
    long from = Arena.address(fromLink);
    int layout = methods.layout(arena.getInt(into + Node.METHOD));
    int[] packed = methods.packed();
    for (int i = 0; i < packed[layout + Methods.COUNTERS]; i++) {
      long counter = Node.COUNTERS + 8L * i;
      arena.putLong(into + counter, arena.getLong(into + counter) + arena.getLong(from + counter));
    }
    for (int slot = 0; slot < packed[layout + Methods.SLOTS]; slot++) {
      if (slot == MethodPlan.ORDER_SLOT && packed[layout + Methods.HAS_CELLS] != 0) {
        continue; // both lead to the same cells, those of the thread
      }
      int head = arena.child(from + Node.slot(slot));
      if (head != 0) {
        long last = Arena.address(head);
        while (arena.getInt(last + Node.NEXT) != 0) {
          last = Arena.address(arena.getInt(last + Node.NEXT));
        }
        arena.putInt(last + Node.NEXT, arena.child(into + Node.slot(slot)));
        arena.putInt(into + Node.slot(slot), head);
      }
    }
    setFlag(into, arena.getInt(from + Node.FLAGS) & Node.FOLDED);
    arena.putInt(from + Node.METHOD, Node.MERGED);
    arena.putInt(from + Node.PARENT, intoLink);
  }
}
