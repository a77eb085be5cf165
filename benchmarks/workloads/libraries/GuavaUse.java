import com.google.common.base.*;
import com.google.common.cache.*;
import com.google.common.collect.*;
import com.google.common.eventbus.*;
import com.google.common.hash.*;
import com.google.common.reflect.*;
import com.google.common.util.concurrent.*;
import java.util.*;
import java.util.concurrent.*;

/** Guava's caches, collections, futures, hashes, events and serialised forms. */
public final class GuavaUse {
  public static void main(String[] a) throws Exception {
    LoadingCache<Integer, String> c =
        CacheBuilder.newBuilder()
            .maximumSize(50)
            .recordStats()
            .build(CacheLoader.from(i -> "v" + i));
    int h = 0;
    for (int i = 0; i < 500; i++) h = h * 31 + c.get(i * 7 % 90).hashCode();
    System.out.println(h + " " + c.stats().hitCount() + " " + c.size());
    Multimap<String, Integer> m = TreeMultimap.create();
    for (int i = 0; i < 50; i++) m.put("k" + i % 7, i);
    System.out.println(m);
    BiMap<Integer, String> b = HashBiMap.create(Map.of(1, "a"));
    System.out.println(b.inverse());
    Table<Integer, Integer, Integer> t = HashBasedTable.create();
    t.put(1, 2, 3);
    System.out.println(t);
    System.out.println(ImmutableSortedMap.of(2, 1, 1, 2) + " " + RangeSet(5));
    ListeningExecutorService ex = MoreExecutors.listeningDecorator(Executors.newFixedThreadPool(3));
    List<ListenableFuture<Integer>> fs = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      int j = i;
      fs.add(Futures.transform(ex.submit(() -> j * j), x -> x + 1, MoreExecutors.directExecutor()));
    }
    System.out.println(Futures.allAsList(fs).get());
    SettableFuture<String> sf = SettableFuture.create();
    new Thread(() -> sf.set("set")).start();
    System.out.println(sf.get());
    System.out.println(
        sf.cancel(true) + " " + Futures.immediateFailedFuture(new RuntimeException("x")).isDone());
    ex.shutdown();
    AtomicDouble ad = new AtomicDouble(1);
    ad.addAndGet(2.5);
    System.out.println(ad);
    AtomicLongMap<String> al = AtomicLongMap.create();
    al.incrementAndGet("q");
    System.out.println(al);
    ConcurrentHashMultiset<String> cm = ConcurrentHashMultiset.create();
    cm.add("z", 3);
    System.out.println(cm);
    System.out.println(
        Hashing.murmur3_128().hashString("abc", Charsets.UTF_8)
            + " "
            + Hashing.sha256().hashInt(3)
            + " "
            + Hashing.crc32c().hashInt(5));
    BloomFilter<Integer> bf = BloomFilter.create(Funnels.integerFunnel(), 100);
    bf.put(3);
    System.out.println(bf.mightContain(3) + " " + bf.approximateElementCount());
    EventBus e = new EventBus();
    e.register(
        new Object() {
          @Subscribe
          public void on(String s) {
            System.out.println("got " + s);
          }
        });
    e.post("x");
    System.out.println(new TypeToken<List<String>>() {}.getTypes().size());
    ConcurrentMap<Object, Object> w = new MapMaker().weakKeys().makeMap();
    w.put("k", 1);
    System.out.println(w);
    Interner<String> in = Interners.newWeakInterner();
    System.out.println(in.intern("a"));
    Monitor mo = new Monitor();
    mo.enter();
    mo.leave();
    RateLimiter.create(1000).acquire();
    Striped<java.util.concurrent.locks.Lock> st = Striped.lock(5);
    st.get("x").lock();
    System.out.println(
        MinMaxPriorityQueue.create(List.of(4, 2, 8)).pollLast()
            + " "
            + EvictingQueue.create(3).remainingCapacity()
            + Joiner.on(",").join(Splitter.on(' ').split("a b"))
            + Collections2.permutations(List.of(1, 2, 3)).size());
    java.io.ByteArrayOutputStream bo = new java.io.ByteArrayOutputStream();
    java.io.ObjectOutputStream oo = new java.io.ObjectOutputStream(bo);
    oo.writeObject(ImmutableMap.of(1, ImmutableList.of(2)));
    oo.writeObject(ArrayListMultimap.create(m));
    oo.close();
    java.io.ObjectInputStream oi =
        new java.io.ObjectInputStream(new java.io.ByteArrayInputStream(bo.toByteArray()));
    System.out.println(oi.readObject() + " " + oi.readObject());
  }

  static Object RangeSet(int n) {
    TreeRangeSet<Integer> r = TreeRangeSet.create();
    for (int i = 0; i < n; i++) r.add(Range.closed(i * 2, i * 2 + 1));
    return r;
  }
}
