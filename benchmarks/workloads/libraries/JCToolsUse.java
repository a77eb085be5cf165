import java.util.*;
import java.util.concurrent.*;
import org.jctools.counters.*;
import org.jctools.maps.*;
import org.jctools.queues.*;
import org.jctools.queues.atomic.*;

/** JCTools' queues between two threads, and its maps and counters of four. */
public final class JCToolsUse {
  public static void main(String[] a) throws Exception {
    List<Queue<Integer>> qs =
        List.of(
            new SpscArrayQueue<>(64),
            new MpscArrayQueue<>(64),
            new MpmcArrayQueue<>(64),
            new SpmcArrayQueue<>(64),
            new MpscLinkedQueue<>(),
            new SpscLinkedQueue<>(),
            new SpscUnboundedArrayQueue<>(16),
            new MpscUnboundedArrayQueue<>(16),
            new MpscChunkedArrayQueue<>(16, 1024),
            new MpscGrowableArrayQueue<>(16, 1024),
            new SpscGrowableArrayQueue<>(16, 1024),
            new MpmcUnboundedXaddArrayQueue<>(16),
            new MpscUnboundedXaddArrayQueue<>(16),
            new MpscBlockingConsumerArrayQueue<>(64),
            new SpscAtomicArrayQueue<>(64),
            new MpscAtomicArrayQueue<>(64),
            new MpmcAtomicArrayQueue<>(64),
            new MpscLinkedAtomicQueue<>());
    for (Queue<Integer> q : qs) {
      long[] sum = {0};
      Thread p =
          new Thread(
              () -> {
                for (int i = 0; i < 3000; i++) while (!q.offer(i)) Thread.onSpinWait();
              });
      p.start();
      for (int i = 0; i < 3000; i++) {
        Integer x;
        while ((x = q.poll()) == null) Thread.onSpinWait();
        sum[0] = sum[0] * 31 + x;
      }
      p.join();
      System.out.println(
          q.getClass().getSimpleName() + " " + sum[0] + " " + q.size() + q.isEmpty());
    }
    NonBlockingHashMap<String, Integer> m = new NonBlockingHashMap<>();
    NonBlockingHashMapLong<String> ml = new NonBlockingHashMapLong<>();
    NonBlockingIdentityHashMap<Object, Object> mi = new NonBlockingIdentityHashMap<>();
    NonBlockingSetInt si = new NonBlockingSetInt();
    Thread[] ts = new Thread[4];
    for (int t = 0; t < 4; t++) {
      int f = t;
      ts[t] =
          new Thread(
              () -> {
                for (int i = f; i < 4000; i += 4) {
                  m.put("k" + i, i);
                  ml.put(i, "v" + i);
                  si.add(i);
                }
              });
      ts[t].start();
    }
    for (Thread t : ts) t.join();
    System.out.println(
        m.size() + " " + ml.size() + " " + si.size() + " " + m.get("k77") + ml.get(99));
    System.out.println(new TreeMap<>(m).hashCode());
    Counter c = CountersFactory.createFixedSizeStripedCounter(8);
    for (int i = 0; i < 100; i++) c.inc();
    System.out.println(c.get());
  }
}
