import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.counters.CountersFactory;
import org.jctools.maps.NonBlockingHashMap;
import org.jctools.maps.NonBlockingHashMapLong;
import org.jctools.maps.NonBlockingHashSet;
import org.jctools.maps.NonBlockingIdentityHashMap;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.MpmcArrayQueue;
import org.jctools.queues.MpmcUnboundedXaddArrayQueue;
import org.jctools.queues.MpscArrayQueue;
import org.jctools.queues.MpscChunkedArrayQueue;
import org.jctools.queues.MpscCompoundQueue;
import org.jctools.queues.MpscLinkedQueue;
import org.jctools.queues.MpscUnboundedXaddArrayQueue;
import org.jctools.queues.SpmcArrayQueue;
import org.jctools.queues.SpscArrayQueue;
import org.jctools.queues.SpscGrowableArrayQueue;
import org.jctools.queues.SpscLinkedQueue;
import org.jctools.queues.SpscUnboundedArrayQueue;
import org.jctools.queues.atomic.MpmcAtomicArrayQueue;
import org.jctools.queues.atomic.MpscLinkedAtomicQueue;
import org.jctools.queues.atomic.SpscAtomicArrayQueue;

/** Queues and maps of JCTools, which find their padded fields by Unsafe, used by several threads. */
public class QueuesMpmc {
  static final class Item {
    final int producer;
    final int number;

    Item(int producer, int number) {
      this.producer = producer;
      this.number = number;
    }
  }

  /** Sends items by all producers, and prints what all consumers took; each item comes once. */
  static void pass(Queue<Item> queue, int producers, int consumers, int each)
      throws InterruptedException {
    AtomicLong left = new AtomicLong((long) producers * each);
    AtomicLong sum = new AtomicLong();
    AtomicLong disordered = new AtomicLong();
    CountDownLatch ready = new CountDownLatch(producers + consumers);
    Thread[] threads = new Thread[producers + consumers];
    for (int i = 0; i < threads.length; i++) {
      int own = i;
      Runnable work =
          own < producers
              ? () -> {
                meet(ready);
                for (int n = 0; n < each; n++) {
                  Item item = new Item(own, n);
                  while (!queue.offer(item)) {
                    Thread.yield();
                  }
                }
              }
              : () -> {
                meet(ready);
                int[] last = new int[producers];
                while (left.get() > 0) {
                  Item item = queue.poll();
                  if (item == null) {
                    Thread.yield();
                    continue;
                  }
                  if (item.number < last[item.producer] && !(queue instanceof MpscCompoundQueue)) {
                    disordered.incrementAndGet();
                  }
                  last[item.producer] = item.number + 1;
                  sum.addAndGet(item.producer * 1000L + item.number);
                  left.decrementAndGet();
                }
              };
      threads[i] = new Thread(work, "t" + i);
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(
        queue.getClass().getSimpleName()
            + ": "
            + sum
            + " left "
            + queue.size()
            + " disordered "
            + disordered);
  }

  static void meet(CountDownLatch latch) {
    latch.countDown();
    try {
      latch.await();
    } catch (InterruptedException error) {
      throw new AssertionError(error);
    }
  }

  static void batches(MessagePassingQueue<Integer> queue) {
    int[] next = {0};
    int[] sum = {0};
    int filled = queue.fill(() -> next[0]++, 20);
    int drained = queue.drain(item -> sum[0] += item, 15);
    System.out.println(
        filled + " " + drained + " " + sum[0] + " " + queue.relaxedPeek() + " " + queue.size());
  }

  static void maps(int each) throws InterruptedException {
    NonBlockingHashMap<String, Integer> byText = new NonBlockingHashMap<>();
    NonBlockingHashMapLong<Integer> byNumber = new NonBlockingHashMapLong<>();
    NonBlockingIdentityHashMap<Object, Integer> byIdentity = new NonBlockingIdentityHashMap<>();
    NonBlockingHashSet<Object> set = new NonBlockingHashSet<>();
    Object[] keys = new Object[64];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = i % 2 == 0 ? new Object() : new int[i];
    }
    var counter = CountersFactory.createFixedSizeStripedCounter(4);
    Thread[] threads = new Thread[3];
    for (int t = 0; t < threads.length; t++) {
      int own = t;
      threads[t] =
          new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  byText.merge("k" + i % 50, 1, Integer::sum);
                  byNumber.put(i * 3L + own, Integer.valueOf(i));
                  byIdentity.putIfAbsent(keys[i % keys.length], i % keys.length);
                  synchronized (keys[i % keys.length]) {
                    set.add(keys[i % keys.length]);
                  }
                  counter.inc();
                  if (i % 5 == 0) {
                    byNumber.remove(i * 3L + own);
                  }
                }
              });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    long total = 0;
    for (int count : byText.values()) {
      total += count;
    }
    long identities = 0;
    for (int i = 0; i < keys.length; i++) {
      identities += byIdentity.get(keys[i]) == i && set.contains(keys[i]) ? 1 : 0;
    }
    System.out.println(
        "maps: " + total + " " + byNumber.size() + " " + identities + " " + counter.get());
  }

  public static void main(String[] args) throws InterruptedException {
    int each = args.length == 0 ? 1000 : Integer.parseInt(args[0]);
    pass(new MpmcArrayQueue<>(64), 2, 2, each);
    pass(new MpmcUnboundedXaddArrayQueue<>(64), 2, 2, each);
    pass(new MpmcAtomicArrayQueue<>(64), 2, 2, each);
    pass(new MpscArrayQueue<>(64), 3, 1, each);
    pass(new MpscLinkedQueue<>(), 3, 1, each);
    pass(new MpscLinkedAtomicQueue<>(), 3, 1, each);
    pass(new MpscChunkedArrayQueue<>(16, 256), 3, 1, each);
    pass(new MpscUnboundedXaddArrayQueue<>(32), 3, 1, each);
    pass(new MpscCompoundQueue<>(64), 3, 1, each);
    pass(new SpmcArrayQueue<>(64), 1, 3, each);
    pass(new SpscArrayQueue<>(64), 1, 1, each);
    pass(new SpscAtomicArrayQueue<>(64), 1, 1, each);
    pass(new SpscLinkedQueue<>(), 1, 1, each);
    pass(new SpscGrowableArrayQueue<>(8, 128), 1, 1, each);
    pass(new SpscUnboundedArrayQueue<>(16), 1, 1, each);
    batches(new MpmcArrayQueue<>(32));
    batches(new SpscArrayQueue<>(16));
    maps(each);
  }
}
