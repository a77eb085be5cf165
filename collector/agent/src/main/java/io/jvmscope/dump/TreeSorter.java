package io.jvmscope.dump;

import static jdk.internal.perf.ArenaLayout.COUNTERS;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.NEXT;
import static jdk.internal.perf.ArenaLayout.SIZE;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.Methods;
import io.jvmscope.arena.RecordingDamaged;
import io.jvmscope.arena.ThreadRoot;
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
  private final int firstProgramId;
  private final Progress progress;
  private final long mostNodes;

  private final IntStack work = new IntStack(); // links of nodes that wait
  private final Siblings siblings;
  private int[] openNode = new int[1024]; // links of the nodes whose subtree is being walked
  private int[] openBase = new int[1024]; // height of the work stack below each one's children
  private int[] openSize = new int[1024];
  private int depth;

  private final IntStack callers = new IntStack(); // methods that the VM called from, once each
  private final boolean[] isCaller;
  private boolean ranProgram;
  private long nodes;
  private long bytes;

  /** Sorts trees; methods of the program have the agent's numbers from {@code firstProgramId}. */
  TreeSorter(Arena arena, Methods methods, UpcallRule rule, int firstProgramId, Progress progress) {
    this.arena = arena;
    this.firstProgramId = firstProgramId;
    this.isCaller = new boolean[methods.count()];
    this.methods = methods;
    this.rule = rule;
    this.progress = progress;
    this.mostNodes = arena.used() / COUNTERS;
    this.siblings = new Siblings(arena, methods, rule, work);
  }

  /** Nodes that were left out; see {@link Siblings#dropped}. */
  long dropped() {
    return siblings.dropped();
  }

  /** Was any call folded into another context? */
  boolean hasFolded() {
    return siblings.hasFolded();
  }

  /** Calls of a constructor in a node or proxy that began no object; see {@link Siblings}. */
  long continuedIn(long node) {
    return siblings.continuedIn(node);
  }

  /** Did the tree sorted last hold a method of the program? */
  boolean ranProgram() {
    return ranProgram;
  }

  /** Keeps the tree sorted last: where the VM called in it, methods get a call site for that. */
  void keep() {
    while (callers.size() > 0) {
      methods.noteUpcalls(callers.pop());
    }
  }

  /** Sorts the tree below a thread's root; its size in contexts. It is left out unless kept. */
  int sort(ThreadRoot root) throws IOException {
    while (callers.size() > 0) {
      isCaller[callers.pop()] = false;
    }
    ranProgram = false;
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
      arena.putInt(Arena.address(openNode[top]) + SIZE, size);
      depth = top;
      if (top == 0) {
        return size;
      }
      openSize[top - 1] = Math.addExact(openSize[top - 1], size);
    }
  }

  /** Appends what a root has in slot 1 to its slot 0. */
  private void joinSlots(long root) {
    long overflow = root + Arena.slot(1);
    int head = arena.child(overflow);
    if (head == 0) {
      return;
    }
    long end = root + Arena.slot(0);
    long steps = 0;
    for (int next = arena.child(end); next != 0; next = arena.next(Arena.address(next), ++steps)) {
      end = Arena.address(next) + NEXT;
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
    ranProgram |= arena.getInt(Arena.address(link) + METHOD) >= firstProgramId;
    openNode[depth] = link;
    openBase[depth] = work.size();
    int[] packed = methods.packed();
    bytes += COUNTERS + 8L * packed[layout + Methods.COUNTERS] + 4L * packed[layout];
    openSize[depth++] = 1 + order(Arena.address(link), layout);
    if (++nodes % PROGRESS_NODES == 0) {
      progress.at(Math.min(bytes, arena.used()));
    }
    if (nodes > mostNodes) {
      throw new RecordingDamaged("arena: links form a cycle");
    }
  }

  /** Orders the children of a node and puts them on the work stack; the number of its leaves. */
  private int order(long node, int layout) {
    int[] packed = methods.packed();
    int leaves = 0;
    siblings.begin();
    int end = methods.sitesEnd(layout);
    for (int site = methods.sitesStart(layout); site < end; site += Methods.SITE_INTS) {
      int index = packed[site];
      if (index < 0) {
        long count = arena.getLong(node + COUNTERS + 8L * ~index);
        leaves += count != 0 && packed[site + 2] >= 0 ? 1 : 0;
        continue;
      }
      long slot = node + Arena.slot(index);
      int head = arena.child(slot);
      if (head != 0 && isOrdered(head, site)) {
        work.push(head);
      } else if (head != 0) {
        siblings.orderSite(node, slot, head, site);
      }
    }
    if (siblings.orderOwn(node)) {
      int caller = methods.id(arena.getInt(node + METHOD));
      if (caller >= 0 && !isCaller[caller]) {
        isCaller[caller] = true;
        callers.push(caller);
      }
    }
    return leaves;
  }

  /** Is a slot's chain one node that its site called? That is so nearly always. */
  private boolean isOrdered(int head, int site) {
    long at = Arena.address(head);
    int number = arena.getInt(at + METHOD);
    return arena.getInt(at + NEXT) == 0 && methods.id(number) >= 0 && rule.isCall(site, number);
  }
}
