package io.jvmscope.dump;

import static jdk.internal.perf.ArenaLayout.COUNTERS;
import static jdk.internal.perf.ArenaLayout.HAS_PROXIES;
import static jdk.internal.perf.ArenaLayout.IS_FOLDED;
import static jdk.internal.perf.ArenaLayout.MERGED;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.NEXT;
import static jdk.internal.perf.ArenaLayout.PARENT;
import static jdk.internal.perf.ArenaLayout.PLACE;
import static jdk.internal.perf.ArenaLayout.PROXY;
import static jdk.internal.perf.ArenaLayout.PROXY_CALLS;
import static jdk.internal.perf.ArenaLayout.PROXY_METHOD;
import static jdk.internal.perf.ArenaLayout.PROXY_TARGET;
import static jdk.internal.perf.ArenaLayout.SINK;
import static jdk.internal.perf.ArenaLayout.TABLE;
import static jdk.internal.perf.ArenaLayout.TABLE_CAPACITY;
import static jdk.internal.perf.ArenaLayout.TABLE_LINKS;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.Methods;
import io.jvmscope.probe.Recording;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The children in one slot of a node, while they are put in order: collected from chain and tables,
 * sorted by canonical method, those of one method merged, and chained again. One object serves all
 * slots, one after the other.
 */
final class Siblings {
  private static final long PROXY_BIT = 1L << 32;

  private final Arena arena;
  private final Methods methods;
  private final UpcallRule rule;
  private final IntStack work; // gets the links of the nodes

  private long[] chain = new long[64]; // sort keys: method id, is proxy, link
  private int chained;
  private long[] misfits = new long[64]; // of all the slots of a node
  private int misfit;

  private long dropped;
  private boolean hasFolded;
  private final Map<Long, Long> continued = new HashMap<>(); // calls by node or proxy

  Siblings(Arena arena, Methods methods, UpcallRule rule, IntStack work) {
    this.arena = arena;
    this.methods = methods;
    this.rule = rule;
    this.work = work;
  }

  /** Nodes with an unknown method, whose class a killed VM had not logged; they are left out. */
  long dropped() {
    return dropped;
  }

  /** Was any call folded into another context? */
  boolean hasFolded() {
    return hasFolded;
  }

  /**
   * Calls of a constructor in a node or proxy that began no object; see {@link
   * Recording.Continued}.
   */
  long continuedIn(long node) {
    return continued.getOrDefault(node, 0L);
  }

  /** Begins a node: it has no misfits yet. */
  void begin() {
    misfit = 0;
  }

  /** Orders what a site's slot holds; what the site did not call waits for {@link #orderOwn}. */
  void orderSite(long node, long slot, int head, int site) {
    chained = 0;
    gather(head);
    int kept = 0;
    int first = misfit;
    for (int i = 0; i < chained; i++) {
      long key = chain[i];
      int number = number(key);
      if (rule.isCall(site, number)) {
        chain[kept++] = key;
      } else {
        addMisfit(key);
      }
    }
    chained = kept;
    relink(node, slot);
    continueObjects(node, site, first);
    noteUnseen(node, site, first);
  }

  /** Has a dispatched site called a method that is not instrumented, and this others? */
  private void noteUnseen(long node, int site, int first) {
    int[] packed = methods.packed();
    for (int i = first; i < misfit && (packed[site + 3] & Methods.VIRTUAL) != 0; i++) {
      int number = number(misfits[i]);
      if (methods.isDispatched(number) && !methods.isAlwaysUpcall(number)) {
        methods.noteUnseen(arena.getInt(node + METHOD), packed[site]);
      }
    }
  }

  /**
   * Which calls of constructors began no object. A constructor that is not instrumented calls, once
   * for each object of its own, one of the nearest instrumented class above. All others that it
   * calls make objects.
   *
   * @param first of the site's misfits
   */
  private void continueObjects(long node, int site, int first) {
    int nearest = -1;
    for (int i = first; i < misfit; i++) {
      int number = number(misfits[i]);
      boolean isNearest = nearest < 0 || rule.isNearer(number, nearest);
      if (isNearest && rule.isOfSuperclass(site, number)) {
        nearest = number;
      }
    }
    if (nearest < 0) {
      return;
    }
    int counter = methods.packed()[site + 4];
    long objects = counter == 0 ? Long.MAX_VALUE : arena.getLong(node + counter);
    for (int i = first; i < misfit; i++) {
      int number = number(misfits[i]);
      if (methods.isConstructor(number) && methods.owner(number) == methods.owner(nearest)) {
        long at = Arena.address((int) misfits[i]);
        long calls = arena.getLong(at + (isProxy(misfits[i]) ? PROXY_CALLS : COUNTERS));
        long taken = Math.min(calls, objects);
        objects -= taken;
        continued.merge(at, taken, Long::sum);
      }
    }
  }

  private int number(long key) {
    return arena.getInt(Arena.address((int) key) + (isProxy(key) ? PROXY_METHOD : METHOD));
  }

  private void addMisfit(long key) {
    if (misfit == misfits.length) {
      misfits = Arrays.copyOf(misfits, 2 * misfit);
    }
    misfits[misfit++] = key;
  }

  /** Orders what the own slot holds and the misfits of the others; true if there is any. */
  boolean orderOwn(long node) {
    long slot = node + Arena.slot(0);
    int head = arena.child(slot);
    if (head == 0 && misfit == 0) {
      return false;
    }
    chained = 0;
    gather(head);
    for (int i = 0; i < misfit; i++) {
      append(misfits[i]);
    }
    relink(node, slot);
    return chained > 0;
  }

  /** Collects the nodes and proxies of a slot's chain, those in tables too. */
  private void gather(int head) {
    long steps = 0;
    for (int link = head; link != 0; ) {
      long at = Arena.address(link);
      if (arena.getInt(at + METHOD) == TABLE) {
        int capacity = arena.getInt(at + TABLE_CAPACITY);
        for (int i = 0; i < capacity; i++) {
          collect(arena.getInt(at + TABLE_LINKS + 4L * i));
        }
      } else {
        collect(link);
      }
      link = arena.next(at, ++steps);
    }
  }

  private void collect(int link) {
    if (link == 0) {
      return;
    }
    long at = Arena.address(link);
    int number = arena.getInt(at + METHOD);
    boolean isProxy = number == PROXY;
    int id = methods.id(isProxy ? arena.getInt(at + PROXY_METHOD) : number);
    if (id < 0) {
      dropped += number == SINK ? 0 : 1;
      return;
    }
    append((long) id << 33 | (isProxy ? PROXY_BIT : 0) | link & 0xFFFF_FFFFL);
  }

  private void append(long key) {
    if (chained == chain.length) {
      chain = Arrays.copyOf(chain, 2 * chained);
    }
    chain[chained++] = key;
  }

  private static boolean isProxy(long key) {
    return (key & PROXY_BIT) != 0;
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
      place = Arena.address(link) + NEXT;
      if (isProxy) {
        hasFolded = true;
        setFlag(node, HAS_PROXIES);
        foldInto(target(Arena.address(link)), Arena.address(link));
      } else {
        last = link;
        work.push(link);
      }
    }
    arena.putInt(place, 0);
  }

  private void foldInto(long node, long proxy) {
    setFlag(node, IS_FOLDED);
    if (methods.isConstructor(arena.getInt(proxy + PROXY_METHOD))) {
      continued.merge(node, arena.getLong(proxy + PROXY_CALLS), Long::sum);
    }
  }

  private void setFlag(long node, int flag) {
    arena.putInt(node + PLACE, arena.getInt(node + PLACE) | flag);
  }

  /** The node that a proxy folds into; if that was merged, the proxy is told where it went. */
  private long target(long proxy) {
    int link = arena.getInt(proxy + PROXY_TARGET);
    long steps = 0;
    while (arena.getInt(Arena.address(link) + METHOD) == MERGED) {
      arena.next(Arena.address(link), ++steps);
      link = arena.getInt(Arena.address(link) + PARENT);
    }
    arena.putInt(proxy + PROXY_TARGET, link);
    return Arena.address(link);
  }

  /** Adds a node of the same method to another, which has not been visited yet. */
  private void merge(int intoLink, int fromLink) {
    long into = Arena.address(intoLink);
    long from = Arena.address(fromLink);
    int layout = methods.layout(arena.getInt(into + METHOD));
    int[] packed = methods.packed();
    for (int i = 0; i < packed[layout + Methods.COUNTERS]; i++) {
      long counter = COUNTERS + 8L * i;
      arena.putLong(into + counter, arena.getLong(into + counter) + arena.getLong(from + counter));
    }
    for (int slot = 0; slot < packed[layout + Methods.SLOTS]; slot++) {
      boolean isShared = slot > 0 && slot <= packed[layout + Methods.SHARED_SLOTS];
      int head = arena.child(from + Arena.slot(slot));
      if (head != 0 && !isShared) { // both lead to the same place
        prepend(into + Arena.slot(slot), head);
      }
    }
    Long moved = continued.remove(from);
    if (moved != null) {
      continued.merge(into, moved, Long::sum);
    }
    setFlag(into, arena.getInt(from + PLACE) & IS_FOLDED);
    arena.putInt(from + METHOD, MERGED);
    arena.putInt(from + PARENT, intoLink);
  }

  private void prepend(long slot, int head) {
    long last = Arena.address(head);
    long steps = 0;
    for (int next = arena.next(last, 0); next != 0; next = arena.next(last, ++steps)) {
      last = Arena.address(next);
    }
    arena.putInt(last + NEXT, arena.child(slot));
    arena.putInt(slot, head);
  }
}
