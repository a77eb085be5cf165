import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/** The same as {@code Waits} in virtual threads, for the thread itself and for the one that joins it. */
public class VirtualWaits {
  interface Case { Object run() throws Throwable; }

  static long mayBeLateBy = 2_000_000; // microseconds

  static void check(String name, long millis, Case c) throws Exception {
    Object[] told = new Object[1];
    long mainBegin = System.nanoTime();
    Thread t = Thread.ofVirtual().name(name).start(() -> {
      long begin = System.nanoTime();
      Object result;
      try { result = c.run(); } catch (Throwable e) { result = e.getClass().getSimpleName(); }
      long took = (System.nanoTime() - begin) / 1000;
      boolean fits = took >= millis * 1000 && took - millis * 1000 < mayBeLateBy;
      told[0] = name + ": " + result + (fits ? "" : " but took " + took + " us, not " + millis + " ms");
    });
    t.join();
    long took = (System.nanoTime() - mainBegin) / 1000;
    boolean fits = took >= millis * 1000 && took - millis * 1000 < mayBeLateBy;
    System.out.println(told[0] + (fits ? "" : " but for main took " + took));
  }

  static void sleep(long millis) {
    try { Thread.sleep(millis); } catch (InterruptedException e) { throw new RuntimeException(e); }
  }

  static Thread later(long millis, Runnable r) {
    return Thread.startVirtualThread(() -> { sleep(millis); r.run(); });
  }

  public static void main(String[] args) throws Exception {
    if (args.length > 0) mayBeLateBy = Long.MAX_VALUE;
    Object o = new Object();
    check("sleep", 50, () -> { Thread.sleep(50); return "slept"; });
    check("sleep 0", 0, () -> { for (int i = 0; i < 100; i++) Thread.sleep(0); return "slept"; });
    check("sleep duration", 50, () -> { Thread.sleep(Duration.ofMillis(50)); return "slept"; });
    check("pinned sleep", 50, () -> { synchronized (o) { Thread.sleep(50); } return "slept"; });
    check("wait", 50, () -> { synchronized (o) { o.wait(50); } return "woke"; });
    check("notify", 30, () -> { synchronized (o) { later(30, () -> { synchronized (o) { o.notify(); } }); o.wait(600_000); } return "notified"; });
    check("parkNanos", 50, () -> { LockSupport.parkNanos(50_000_000); return "woke"; });
    check("parkUntil", 49, () -> { LockSupport.parkUntil(System.currentTimeMillis() + 50); return "woke"; });
    check("unpark", 30, () -> { Thread me = Thread.currentThread(); later(30, () -> LockSupport.unpark(me)); LockSupport.park(); return "unparked"; });
    check("unpark timed", 30, () -> { Thread me = Thread.currentThread(); later(30, () -> LockSupport.unpark(me)); LockSupport.parkNanos(600_000_000_000L); return "unparked"; });
    check("interrupt", 30, () -> { Thread me = Thread.currentThread(); Thread other = later(30, me::interrupt); try { Thread.sleep(600_000); return "slept"; } finally { other.join(); } });
    check("queue", 50, () -> new LinkedBlockingQueue<>().poll(50, TimeUnit.MILLISECONDS));
    check("latch", 50, () -> new CountDownLatch(1).await(50, TimeUnit.MILLISECONDS));
    check("orTimeout", 50, () -> new CompletableFuture<String>().orTimeout(50, TimeUnit.MILLISECONDS).handle((v, e) -> e.getClass().getSimpleName()).get());
    check("join timeout", 50, () -> { CountDownLatch end = new CountDownLatch(1); try { return Thread.startVirtualThread(() -> { try { end.await(); } catch (InterruptedException e) { } }).join(Duration.ofMillis(50)); } finally { end.countDown(); } });
    check("join", 60, () -> { Thread t = later(60, () -> { }); t.join(); return t.isAlive(); });
    check("nested", 60, () -> { try (var e = Executors.newVirtualThreadPerTaskExecutor()) { return e.submit(() -> { sleep(60); return 7; }).get(600, TimeUnit.SECONDS); } });
    check("poll", 30, () -> { long end = System.nanoTime() + 30_000_000; while (System.nanoTime() < end) Thread.yield(); return "polled"; });
    AtomicInteger slept = new AtomicInteger();
    AtomicLong least = new AtomicLong(Long.MAX_VALUE);
    try (var e = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 2000; i++) {
        int n = i % 50;
        e.submit(() -> { long b = System.nanoTime(); sleep(n); least.accumulateAndGet(System.nanoTime() - b - n * 1_000_000L, Math::min); slept.incrementAndGet(); });
      }
    }
    System.out.println(slept + " slept, none too short: " + (least.get() >= 0));
    ScheduledExecutorService timer = Executors.newScheduledThreadPool(1, Thread.ofVirtual().factory());
    CountDownLatch ticks = new CountDownLatch(4);
    timer.scheduleAtFixedRate(ticks::countDown, 10, 10, TimeUnit.MILLISECONDS);
    System.out.println("ticks: " + ticks.await(600, TimeUnit.SECONDS));
    timer.shutdownNow();
  }
}
