import java.io.IOException;
import java.lang.ref.ReferenceQueue;
import java.net.*;
import java.nio.channels.*;
import java.time.Clock;
import java.time.Instant;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/**
 * Every way to wait or to poll a clock: what came of it, and whether it took the time that it should.
 * What came of it is the same however late a thread goes on; with "real" it may take any time more.
 */
public class Waits {
  interface Case { Object run() throws Throwable; }

  static long mayBeLateBy = 2_000_000; // microseconds

  /** Prints what came of a wait, and whether it took at least so long and not two seconds more. */
  static void check(String name, long millis, Case c) throws Exception {
    long begin = System.nanoTime();
    Object result;
    try {
      result = c.run();
    } catch (Throwable e) {
      result = e.getClass().getSimpleName();
    }
    long took = (System.nanoTime() - begin) / 1000;
    boolean fits = took >= millis * 1000 && took - millis * 1000 < mayBeLateBy;
    System.out.println(name + ": " + result + (fits ? "" : " but took " + took + " us, not " + millis + " ms"));
  }

  static Thread later(long millis, Runnable r) {
    Thread t = new Thread(() -> { sleep(millis); r.run(); });
    t.start();
    return t;
  }

  /**
   * What comes of a wait that another thread interrupts. That thread has ended then: HotSpot wakes
   * who is interrupted in three ways, and one that came late would end the next wait at once.
   */
  static Object interrupted(Case wait) throws Throwable {
    Thread other = later(30, Thread.currentThread()::interrupt);
    try {
      return wait.run();
    } finally {
      other.join();
    }
  }

  static void sleep(long millis) {
    try { Thread.sleep(millis); } catch (InterruptedException e) { throw new RuntimeException(e); }
  }

  public static void main(String[] args) throws Exception {
    if (args.length > 0) mayBeLateBy = Long.MAX_VALUE;
    CountDownLatch never = new CountDownLatch(1);
    check("sleep", 100, () -> { Thread.sleep(100); return "slept"; });
    check("sleep 0", 0, () -> { for (int i = 0; i < 100; i++) Thread.sleep(0); return "slept"; });
    check("sleep nanos", 1, () -> { Thread.sleep(0, 999_999); Thread.sleep(1); return "slept"; });
    check("TimeUnit.sleep", 20, () -> { TimeUnit.MILLISECONDS.sleep(20); return "slept"; });
    check("sleep negative", 0, () -> { Thread.sleep(-1); return "slept"; });
    Object o = new Object();
    check("wait timed out", 50, () -> { synchronized (o) { o.wait(50); } return "woke"; });
    check("wait notified", 30, () -> {
      synchronized (o) {
        later(30, () -> { synchronized (o) { o.notifyAll(); } }); // not before we wait
        o.wait(600_000);
      }
      return "notified";
    });
    check("wait without monitor", 0, () -> { o.wait(10); return "woke"; });
    check("notify without monitor", 0, () -> { o.notify(); return "woke"; });
    check("parkNanos", 40, () -> { LockSupport.parkNanos(40_000_000); return "woke"; });
    check("parkUntil", 39, () -> { LockSupport.parkUntil(System.currentTimeMillis() + 40); return "woke"; });
    check("parkUntil past", 0, () -> { LockSupport.parkUntil(System.currentTimeMillis() - 40); LockSupport.parkUntil(5); return "woke"; });
    check("unpark", 30, () -> { Thread me = Thread.currentThread(); later(30, () -> LockSupport.unpark(me)).join(); LockSupport.park(); return "unparked"; });
    check("unpark parked", 30, () -> { Thread me = Thread.currentThread(); later(30, () -> LockSupport.unpark(me)); LockSupport.parkNanos(600_000_000_000L); return "unparked"; });
    ReentrantLock lock = new ReentrantLock();
    Condition c = lock.newCondition();
    check("await", 50, () -> { lock.lock(); try { return c.await(50, TimeUnit.MILLISECONDS); } finally { lock.unlock(); } });
    check("awaitUntil", 45, () -> { lock.lock(); try { return c.awaitUntil(new Date(System.currentTimeMillis() + 50)); } finally { lock.unlock(); } });
    check("await signalled", 30, () -> {
      lock.lock();
      try {
        later(30, () -> { lock.lock(); c.signal(); lock.unlock(); });
        return c.await(600, TimeUnit.SECONDS);
      } finally {
        lock.unlock();
      }
    });
    ExecutorService pool = Executors.newFixedThreadPool(2);
    check("Future.get", 50, () -> { Future<?> f = pool.submit(() -> { never.await(); return 1; }); try { return f.get(50, TimeUnit.MILLISECONDS); } finally { f.cancel(true); } });
    check("Future.get done", 20, () -> pool.submit(() -> { Thread.sleep(20); return 1; }).get(600, TimeUnit.SECONDS));
    check("invokeAll", 60, () -> pool.invokeAll(List.of(() -> { never.await(); return 1; }), 60, TimeUnit.MILLISECONDS).get(0).isCancelled());
    pool.shutdown();
    check("awaitTermination", 0, () -> pool.awaitTermination(600, TimeUnit.SECONDS));
    check("orTimeout", 60, () -> new CompletableFuture<String>().orTimeout(60, TimeUnit.MILLISECONDS).handle((v, e) -> e.getClass().getSimpleName()).get());
    check("orTimeout in time", 20, () -> CompletableFuture.supplyAsync(() -> { sleep(20); return "in time"; }).orTimeout(600, TimeUnit.SECONDS).get());
    check("completeOnTimeout", 60, () -> new CompletableFuture<String>().completeOnTimeout("late", 60, TimeUnit.MILLISECONDS).get());
    check("delayedExecutor", 60, () -> CompletableFuture.supplyAsync(() -> "ran", CompletableFuture.delayedExecutor(60, TimeUnit.MILLISECONDS)).get());
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    check("schedule", 50, () -> timer.schedule(() -> "ran", 50, TimeUnit.MILLISECONDS).get());
    check("fixed rate", 80, () -> { CountDownLatch l = new CountDownLatch(5); timer.scheduleAtFixedRate(l::countDown, 0, 20, TimeUnit.MILLISECONDS); return l.await(600, TimeUnit.SECONDS); });
    check("order", 60, () -> {
      List<Integer> order = Collections.synchronizedList(new ArrayList<>());
      CountDownLatch areThere = new CountDownLatch(1);
      timer.submit(() -> { areThere.await(); return 1; });
      Map<ScheduledFuture<?>, Integer> all = new TreeMap<>(); // by their times
      for (int ms : new int[] {60, 20, 40}) all.put(timer.schedule(() -> { order.add(ms); }, ms, TimeUnit.MILLISECONDS), ms);
      areThere.countDown();
      for (Future<?> f : all.keySet()) f.get();
      return order.equals(List.copyOf(all.values()));
    });
    timer.shutdownNow();
    Timer old = new Timer(true);
    check("Timer", 49, () -> { CountDownLatch l = new CountDownLatch(3); old.schedule(new TimerTask() { public void run() { l.countDown(); } }, 10, 20); return l.await(600, TimeUnit.SECONDS); });
    old.cancel();
    check("poll nanoTime", 50, () -> { long end = System.nanoTime() + 50_000_000; while (System.nanoTime() < end) { } return "polled"; });
    check("poll millis", 50, () -> { long end = System.currentTimeMillis() + 51; while (System.currentTimeMillis() < end) Thread.onSpinWait(); return "polled"; });
    check("poll Instant", 50, () -> { Instant end = Instant.now().plusMillis(50); while (Instant.now().isBefore(end)) Thread.yield(); return "polled"; });
    check("poll Clock", 20, () -> { long end = Clock.systemUTC().millis() + 21; while (Clock.systemUTC().millis() < end) { } return "polled"; });
    check("queue poll", 50, () -> new LinkedBlockingQueue<>().poll(50, TimeUnit.MILLISECONDS));
    check("queue offer", 50, () -> { var q = new ArrayBlockingQueue<Integer>(1); q.add(1); return q.offer(2, 50, TimeUnit.MILLISECONDS); });
    check("SynchronousQueue", 50, () -> new SynchronousQueue<>().poll(50, TimeUnit.MILLISECONDS));
    check("LinkedTransferQueue", 50, () -> new LinkedTransferQueue<Integer>().tryTransfer(1, 50, TimeUnit.MILLISECONDS));
    check("DelayQueue", 0, () -> new DelayQueue<Delayed>().poll(1, TimeUnit.MILLISECONDS));
    check("latch", 50, () -> new CountDownLatch(1).await(50, TimeUnit.MILLISECONDS));
    check("semaphore", 50, () -> new Semaphore(0).tryAcquire(50, TimeUnit.MILLISECONDS));
    check("tryLock", 50, () -> { lock.lock(); try { return CompletableFuture.supplyAsync(() -> { try { return lock.tryLock(50, TimeUnit.MILLISECONDS); } catch (InterruptedException e) { return null; } }).get(); } finally { lock.unlock(); } });
    check("barrier", 50, () -> new CyclicBarrier(2).await(50, TimeUnit.MILLISECONDS));
    check("phaser", 50, () -> { Phaser p = new Phaser(2); return p.awaitAdvanceInterruptibly(p.arrive(), 50, TimeUnit.MILLISECONDS); });
    check("exchanger", 50, () -> new Exchanger<Integer>().exchange(1, 50, TimeUnit.MILLISECONDS));
    check("stamped", 50, () -> { StampedLock s = new StampedLock(); s.writeLock(); return s.tryReadLock(50, TimeUnit.MILLISECONDS); });
    check("join timeout", 50, () -> { CountDownLatch end = new CountDownLatch(1); Thread t = later(0, () -> { try { end.await(); } catch (InterruptedException e) { } }); t.join(50); boolean alive = t.isAlive(); end.countDown(); return alive; });
    check("join", 60, () -> { Thread t = later(60, () -> { }); t.join(); return t.isAlive(); });
    check("interrupt sleep", 30, () -> interrupted(() -> { Thread.sleep(600_000); return "slept"; }));
    check("interrupt wait", 30, () -> { Object own = new Object(); return interrupted(() -> { synchronized (own) { own.wait(); } return "woke"; }); }); // a late notify of o would wake it
    check("interrupt park", 30, () -> { LockSupport.parkNanos(1); return interrupted(() -> { LockSupport.park(); return Thread.interrupted(); }); });
    check("ReferenceQueue", 50, () -> new ReferenceQueue<>().remove(50));
    check("socket read", 50, () -> {
      try (ServerSocket s = new ServerSocket(0); Socket a = new Socket(InetAddress.getLoopbackAddress(), s.getLocalPort()); Socket b = s.accept()) {
        b.setSoTimeout(50); return b.getInputStream().read(); }
    });
    check("accept", 50, () -> { try (ServerSocket s = new ServerSocket(0)) { s.setSoTimeout(50); return s.accept(); } });
    check("datagram", 50, () -> { try (DatagramSocket s = new DatagramSocket()) { s.setSoTimeout(50); s.receive(new DatagramPacket(new byte[9], 9)); return "received"; } });
    check("connect", 0, () -> { try (ServerSocket s = new ServerSocket(0); Socket a = new Socket()) { a.connect(s.getLocalSocketAddress(), 5000); return a.isConnected(); } });
    check("select", 50, () -> { try (Selector s = Selector.open()) { return s.select(50); } });
    check("select loop", 50, () -> { try (Selector s = Selector.open()) { long end = System.nanoTime() + 50_000_000; int n = 0; for (long left; (left = end - System.nanoTime()) > 0; n++) s.select(Math.max(1, left / 1_000_000)); return n < 10; } });
    check("wakeup", 30, () -> { try (Selector s = Selector.open()) { later(30, s::wakeup).join(); return s.select(600_000); } });
    check("process", 50, () -> { Process p = new ProcessBuilder("sleep", "600").start(); try { return p.waitFor(50, TimeUnit.MILLISECONDS); } finally { p.destroyForcibly().waitFor(); } });
    check("process ended", 0, () -> new ProcessBuilder("true").start().waitFor(600, TimeUnit.SECONDS));
    check("condition loop", 60, () -> {
      AtomicBoolean stop = new AtomicBoolean();
      Thread noise = new Thread(() -> { while (!stop.get()) { lock.lock(); c.signalAll(); lock.unlock(); sleep(5); } });
      noise.start();
      long nanos = 60_000_000;
      lock.lock();
      try { while (nanos > 0) nanos = c.awaitNanos(nanos); } finally { lock.unlock(); }
      stop.set(true);
      noise.join();
      return "timed out";
    });
    check("wait loop", 60, () -> {
      AtomicBoolean stop = new AtomicBoolean();
      Thread noise = new Thread(() -> { while (!stop.get()) { synchronized (o) { o.notifyAll(); } sleep(5); } });
      noise.start();
      long end = System.currentTimeMillis() + 60;
      synchronized (o) { for (long left; (left = end - System.currentTimeMillis()) > 0; ) o.wait(left); }
      stop.set(true);
      noise.join();
      return "timed out";
    });
    check("handle", 0, () -> { long a = System.nanoTime(); long b = (long) java.lang.invoke.MethodHandles.lookup().findStatic(System.class, "nanoTime", java.lang.invoke.MethodType.methodType(long.class)).invokeExact(); return b >= a && (b - a) / 1000 < mayBeLateBy; });
    check("reference", 0, () -> { java.util.function.LongSupplier s = System::nanoTime; long a = System.nanoTime(); long b = s.getAsLong(); return b >= a && (b - a) / 1000 < mayBeLateBy; });
    check("reflection", 0, () -> { long a = System.nanoTime(); var m = System.class.getMethod("nanoTime"); long b = 0; for (int i = 0; i < 30; i++) b = (long) m.invoke(null); return b >= a && (b - a) / 1000 < mayBeLateBy; });
    check("reflective sleep", 20, () -> Thread.class.getMethod("sleep", long.class).invoke(null, 20L));
    check("parallel", 0, () -> java.util.stream.IntStream.range(0, 100_000).parallel().sum());
    long last = System.nanoTime();
    boolean goesOn = true;
    for (int i = 0; i < 1000; i++) { long now = System.nanoTime(); goesOn &= now > last - 1 ; last = now; }
    System.out.println("goes on: " + goesOn);
    System.out.println(Thread.class.getDeclaredFields().length > 3 ? Arrays.stream(Thread.class.getDeclaredFields()).anyMatch(f -> f.getName().startsWith("jvmscope")) : "none");
  }
}
