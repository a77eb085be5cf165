import java.io.PrintStream;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;

/**
 * Objects that are let go of in every way. Time passes in ticks of one MiB. With an argument the
 * program is its own oracle: it has the collector run at each tick, and writes which objects that
 * it holds by weak references only are gone.
 */
public class Reachable {
  static final int TICK = 1 << 20;

  static boolean isOracle;
  static int now;
  static final List<WeakReference<Object>> watched = new ArrayList<>();
  static final List<Integer> births = new ArrayList<>();
  static final List<String> names = new ArrayList<>();
  static PrintStream out;

  static void tick() {
    byte[] bytes = new byte[TICK - 16];
    bytes = null;
    now++;
    if (isOracle) {
      System.gc();
      for (int k = 0; k < names.size(); k++) {
        if (watched.get(k) != null && watched.get(k).get() == null) {
          out.println(names.get(k) + " " + (now - births.get(k) - 1));
          watched.set(k, null);
        }
      }
    }
  }

  static void ticks(int n) {
    for (int k = 0; k < n; k++) {
      tick();
    }
  }

  static <T> T see(T object) {
    if (isOracle) {
      watched.add(new WeakReference<>(object));
      births.add(now);
      names.add(object.getClass().getName());
    }
    return object;
  }

  static class Node {
    Node next;
    Object other;
    volatile Object shared;

    Node() {
      see(this);
    }

    Node(Node next) {
      this();
      this.next = next;
    }
  }

  // ---- local variables

  static final class Unused extends Node {}
  static final class Overwritten extends Node {}
  static final class Argument extends Node {}
  static final class Result extends Node {}

  static void locals() {
    new Unused();
    tick();
    Node node = new Overwritten();
    ticks(2);
    node = new Overwritten();
    ticks(3);
    node = null;
    tick();
    argument(new Argument(), 2);
    Node result = result();
    ticks(2);
    result.next = null;
    result = null;
    tick();
  }

  static void argument(Node node, int n) {
    ticks(n);
    node = null;
    tick();
  }

  static Node result() {
    Node node = new Result();
    tick();
    return node;
  }

  // ---- fields, arrays, static fields

  static final class InField extends Node {}
  static final class InArray extends Node {}
  static final class InStatic extends Node {}
  static final class InBoth extends Node {}
  static final class Holder extends Node {
    Object one;
    Object[] many = new Object[3];
  }
  static Object here;
  static Object stays;

  static void stores() {
    Holder holder = new Holder();
    holder.one = new InField();
    holder.many[1] = new InArray();
    holder.many[2] = holder.many[1];
    here = new InStatic();
    Node both = new InBoth();
    holder.other = both;
    both = null;
    here = holder.other;
    ticks(2);
    holder.one = new InField();
    holder.many[1] = null;
    tick();
    here = null;
    holder.many[2] = "other";
    tick();
    holder.other = null;
    ticks(2);
    stays = new InStatic();
  }

  // ---- graphs

  static final class Chain extends Node {
    Chain(Node next) {
      super(next);
    }
  }
  static final class Ring extends Node {}
  static final class Queued extends Node {}

  static Node chain(int n) {
    Node node = null;
    for (int k = 0; k < n; k++) {
      node = new Chain(node);
      tick();
    }
    return node;
  }

  static void graphs() {
    Node chain = chain(5);
    while (chain != null) {
      tick();
      chain = chain.next;
    }
    rings();
    ticks(2);
    queue();
  }

  static void rings() {
    Node first = new Ring();
    Node last = first;
    for (int k = 0; k < 4; k++) {
      Node node = new Ring();
      last.next = node;
      node.other = first;
      last = node;
      tick();
    }
    last.next = first;
    first = last;
    last = null;
    tick();
  }

  /** Nodes that are taken off still refer to those behind. */
  static void queue() {
    Node head = new Queued();
    Node tail = head;
    for (int k = 0; k < 10; k++) {
      tail.next = new Queued();
      tail = tail.next;
      tick();
      if (k % 2 == 1) {
        head = head.next;
      }
    }
  }

  // ---- exceptions

  static final class Thrown extends RuntimeException {
    final Node node;

    Thrown(Node node) {
      super(null, null, false, false);
      this.node = node;
      see(this);
    }
  }
  static final class Lost extends Node {}
  static final class Carried extends Node {}
  static final class Failing extends Node {
    Failing() {
      tick();
      throw new Thrown(new Carried());
    }
  }

  static void exceptions() {
    try {
      deep(3);
    } catch (Thrown e) {
      ticks(2);
    }
    tick();
    try {
      new Failing();
    } catch (Thrown e) {
      tick();
    } finally {
      tick();
    }
  }

  static void deep(int n) {
    Node node = new Lost();
    tick();
    if (n == 0) {
      throw new Thrown(new Carried());
    }
    deep(n - 1);
    node.next = null;
  }

  // ---- the library

  static final class InList extends Node {}
  static final class InMap extends Node {}
  static final class InQueue extends Node {}
  static final class Atomic extends Node {}
  static final class Cloned extends Node implements Cloneable {
    Cloned copy() throws CloneNotSupportedException {
      return (Cloned) see(clone());
    }
  }
  static final class Weak extends Node {}
  static final class Soft extends Node {}
  static final class Captured extends Node {}
  static final AtomicReferenceFieldUpdater<Node, Object> SHARED =
      AtomicReferenceFieldUpdater.newUpdater(Node.class, Object.class, "shared");

  static void library() throws Exception {
    List<Node> list = new ArrayList<>();
    for (int k = 0; k < 20; k++) {
      list.add(new InList());
    }
    tick();
    list.remove(0);
    list.subList(3, 7).clear();
    tick();
    Object[] copy = list.toArray();
    list.clear();
    tick();
    Arrays.fill(copy, 0, 5, null);
    tick();
    copy = null;
    maps();
    queues();
    atomics();
    clones();
    references();
    captured();
  }

  static void maps() {
    Map<Object, Object> map = new HashMap<>();
    Map<Object, Object> concurrent = new ConcurrentHashMap<>();
    for (int k = 0; k < 20; k++) {
      map.put(k, new InMap());
      concurrent.put(k, new InMap());
    }
    tick();
    map.remove(3);
    map.put(4, "other");
    concurrent.remove(3);
    concurrent.replace(4, "other");
    tick();
    map.values().removeIf(value -> value instanceof String);
    map.clear();
    tick();
    concurrent.clear();
    tick();
  }

  static void queues() {
    ArrayDeque<Node> deque = new ArrayDeque<>();
    ConcurrentLinkedQueue<Node> concurrent = new ConcurrentLinkedQueue<>();
    for (int k = 0; k < 6; k++) {
      deque.add(new InQueue());
      concurrent.add(new InQueue());
      tick();
    }
    for (int k = 0; k < 3; k++) {
      deque.poll();
      concurrent.poll();
      tick();
    }
  }

  static void atomics() {
    AtomicReference<Node> atomic = new AtomicReference<>(new Atomic());
    tick();
    atomic.set(new Atomic());
    tick();
    atomic.compareAndSet(atomic.get(), new Atomic());
    tick();
    atomic.getAndSet(new Atomic());
    ticks(2);
    atomic.lazySet(null);
    tick();
    Node node = new Node();
    SHARED.set(node, new Atomic());
    tick();
    SHARED.compareAndSet(node, node.shared, null);
    tick();
  }

  static void clones() throws Exception {
    Cloned first = new Cloned();
    first.other = new Cloned();
    tick();
    Cloned second = first.copy();
    tick();
    first = null;
    tick();
    Node[] array = {new Cloned(), second};
    Node[] other = array.clone();
    array = null;
    second = null;
    tick();
    other[0] = null;
    tick();
    other[1] = null;
    tick();
  }

  static void references() {
    WeakReference<Node> weak = new WeakReference<>(new Weak());
    SoftReference<Node> soft = new SoftReference<>(new Soft());
    ticks(2);
    soft = null;
    tick();
  }

  static void captured() {
    Node node = new Captured();
    Supplier<Node> supplier = () -> node;
    use(supplier);
    tick();
  }

  static void use(Supplier<Node> supplier) {
    ticks(2);
    supplier.get();
  }

  // ---- reflection, inner classes, arrays of arrays

  static final class Reflected extends Node {}
  static final class Nested extends Node {}
  final class Inner extends Node {}

  static void others() throws Exception {
    Node node = new Node();
    Node.class.getDeclaredField("other").set(node, new Reflected());
    tick();
    Node.class.getDeclaredField("other").set(node, null);
    tick();
    Object made = Reflected.class.getDeclaredConstructor().newInstance();
    tick();
    made = null;
    tick();
    Node[][] nested = new Node[3][3];
    nested[1][1] = new Nested();
    tick();
    nested[1] = null;
    tick();
    Reachable outer = new Reachable();
    Object inner = outer.new Inner();
    tick();
    inner = null;
    tick();
  }

  // ---- at random

  static final class Random extends Node {
    Object[] many;
  }
  static int state = 1;
  static Random root;

  static int next(int bound) {
    state = state * 1103515245 + 12345;
    return (state >>> 16) % bound;
  }

  static Random walk() {
    Random at = root;
    for (int k = next(6); k > 0 && at != null; k--) {
      Object to = next(2) == 0 ? at.next : next(2) == 0 ? at.other : null;
      if (at.many != null && next(3) == 0) {
        to = at.many[next(4)];
      }
      at = to instanceof Random ? (Random) to : at;
    }
    return at;
  }

  static void random(int depth) {
    Random held = next(3) == 0 ? walk() : new Random();
    for (int k = 0; k < 12; k++) {
      Random from = walk();
      Random to = next(3) == 0 ? null : next(2) == 0 ? new Random() : walk();
      from.many = from.many == null && next(2) == 0 ? new Object[4] : from.many;
      switch (next(4)) {
        case 0 -> from.next = to;
        case 1 -> from.other = to;
        case 2 -> held = to == null ? held : to;
        default -> {
          if (from.many != null) {
            from.many[next(4)] = to;
          }
        }
      }
      from = null;
      to = null;
    }
    tick();
    if (depth > 0) {
      random(depth - 1);
    }
    root.next = next(4) == 0 ? held : root.next;
    tick();
  }

  static void manyRandom() {
    root = new Random();
    for (int k = 0; k < 4; k++) {
      random(k);
    }
  }

  public static void main(String[] args) throws Exception {
    isOracle = args.length > 0;
    out = isOracle ? new PrintStream(args[0]) : null;
    locals();
    stores();
    graphs();
    exceptions();
    library();
    others();
    manyRandom();
    for (int k = 0; k < names.size(); k++) {
      if (watched.get(k) != null) {
        out.println(names.get(k) + " alive");
      }
    }
  }
}
