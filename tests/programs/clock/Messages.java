import java.util.*;
import java.util.concurrent.*;

/**
 * Who takes a message of another thread is no earlier than that thread was: whether the message was
 * there already or was waited for. A sender works for 20 ms of its own time; with "virtual" both
 * threads are virtual.
 */
public class Messages {
  interface Action { void run() throws Exception; }

  /** A way to pass something on from one thread to another. */
  record Way(String name, Action send, Action take) { }

  static final long WORK = 20_000_000, NEAR = 2_000_000;
  static volatile boolean isSent;
  static volatile long sentAt;
  static boolean isVirtual;

  static Thread thread(Runnable r) {
    try {
      return isVirtual ? (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, r) : started(new Thread(r));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  static Thread started(Thread t) {
    t.setDaemon(true);
    t.start();
    return t;
  }

  /** Works until its own clock says so. */
  static void work() {
    long sum = 0;
    for (int i = 0; i < 2_000_000; i++) sum += i ^ sum;
    if (sum == 42) System.out.println();
  }

  /** Waits without taking time: yielding takes a few bytecodes. */
  static void until(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) Thread.yield();
  }

  interface BooleanSupplier { boolean getAsBoolean(); }

  static boolean waits(Thread t) {
    Thread.State s = t.getState();
    return s == Thread.State.WAITING || s == Thread.State.TIMED_WAITING || s == Thread.State.TERMINATED;
  }

  static Runnable checked(Action a) {
    return () -> {
      try {
        a.run();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    };
  }

  /** The message is there before it is taken; or it is waited for. */
  static void check(Way way, boolean isThere) throws Exception {
    Thread taker = Thread.currentThread();
    isSent = false;
    Thread sender = thread(checked(() -> {
      if (!isThere) until(() -> waits(taker));
      work();
      sentAt = System.nanoTime();
      isSent = true;
      way.send.run();
    }));
    if (isThere) until(() -> isSent && waits(sender));
    way.take.run();
    String when = System.nanoTime() < sentAt ? "earlier" : System.nanoTime() > sentAt + NEAR ? "later" : "near";
    System.out.println(way.name + (isThere ? ", there: " : ", waited for: ") + when);
    sender.join();
  }

  static List<Way> ways(boolean isThere) {
    List<Way> ways = new ArrayList<>();
    CountDownLatch latch = new CountDownLatch(1), timed = new CountDownLatch(1);
    ways.add(new Way("CountDownLatch.await", latch::countDown, latch::await));
    ways.add(new Way("CountDownLatch.await timed", timed::countDown, () -> timed.await(600, TimeUnit.SECONDS)));
    for (boolean isFair : new boolean[] {false, true}) {
      Semaphore s = new Semaphore(0, isFair), t = new Semaphore(0, isFair), u = new Semaphore(0, isFair);
      ways.add(new Way("Semaphore.acquire", s::release, s::acquire));
      ways.add(new Way("Semaphore.acquire two", () -> t.release(2), () -> t.acquire(2)));
      ways.add(new Way("Semaphore.tryAcquire", u::release, () -> u.tryAcquire(600, TimeUnit.SECONDS)));
    }
    FutureTask<Integer> task = new FutureTask<>(() -> 1), failed = new FutureTask<>(() -> { throw new Exception(); }), cancelled = new FutureTask<>(() -> 1);
    ways.add(new Way("FutureTask.get", task::run, task::get));
    ways.add(new Way("FutureTask.get failed", failed::run, () -> { try { failed.get(600, TimeUnit.SECONDS); } catch (ExecutionException e) { } }));
    ways.add(new Way("FutureTask.get cancelled", () -> cancelled.cancel(true), () -> { try { cancelled.get(); } catch (CancellationException e) { } }));
    for (String kind : new String[] {"get", "get timed", "join", "failed", "cancelled", "thenApply", "handle", "allOf", "anyOf", "thenCombine", "thenCompose", "orTimeout", "copy"}) {
      CompletableFuture<Integer> f = new CompletableFuture<>(), first = CompletableFuture.completedFuture(1);
      Action send = kind.equals("failed") ? () -> f.completeExceptionally(new Exception()) : kind.equals("cancelled") ? () -> f.cancel(true) : () -> f.complete(1);
      ways.add(new Way("CompletableFuture." + kind, send, () -> {
        switch (kind) {
          case "get" -> f.get();
          case "get timed" -> f.get(600, TimeUnit.SECONDS);
          case "join" -> f.join();
          case "failed", "cancelled" -> { try { f.join(); } catch (CompletionException | CancellationException e) { } }
          case "thenApply" -> f.thenApply(x -> x + 1).join();
          case "handle" -> f.handle((x, e) -> x).join();
          case "allOf" -> CompletableFuture.allOf(first, f).join();
          case "anyOf" -> CompletableFuture.anyOf(new CompletableFuture<>(), f).join();
          case "thenCombine" -> first.thenCombine(f, Integer::sum).join();
          case "thenCompose" -> first.thenCompose(x -> f).join();
          case "orTimeout" -> f.orTimeout(600, TimeUnit.SECONDS).join();
          default -> f.copy().join();
        }
      }));
    }
    for (BlockingQueue<Integer> q : List.of(new LinkedBlockingQueue<Integer>(), new LinkedBlockingDeque<Integer>(), new ArrayBlockingQueue<Integer>(3), new LinkedTransferQueue<Integer>())) {
      String name = q.getClass().getSimpleName();
      ways.add(new Way(name + ".take", () -> q.put(1), q::take));
      ways.add(new Way(name + ".poll", () -> q.put(1), () -> q.poll(600, TimeUnit.SECONDS)));
      if (isThere) ways.add(new Way(name + ".peek", () -> q.put(1), q::peek));
    }
    for (boolean isFair : new boolean[] {false, true}) {
      SynchronousQueue<Integer> q = new SynchronousQueue<>(isFair), r = new SynchronousQueue<>(isFair);
      ways.add(new Way("SynchronousQueue.take", () -> q.put(1), q::take));
      ways.add(new Way("SynchronousQueue.poll", () -> r.put(1), () -> r.poll(600, TimeUnit.SECONDS)));
    }
    LinkedTransferQueue<Integer> transfer = new LinkedTransferQueue<>();
    ways.add(new Way("LinkedTransferQueue.transfer", () -> transfer.transfer(1), transfer::take));
    Exchanger<Integer> exchanger = new Exchanger<>();
    ways.add(new Way("Exchanger", () -> exchanger.exchange(1), () -> exchanger.exchange(2)));
    CyclicBarrier barrier = new CyclicBarrier(2), command = new CyclicBarrier(2, () -> { });
    ways.add(new Way("CyclicBarrier", barrier::await, barrier::await));
    ways.add(new Way("CyclicBarrier with command", command::await, command::await));
    if (isThere) {
      ConcurrentLinkedQueue<Integer> q = new ConcurrentLinkedQueue<>();
      ConcurrentLinkedDeque<Integer> d = new ConcurrentLinkedDeque<>();
      ways.add(new Way("ConcurrentLinkedQueue.poll", () -> q.add(1), q::poll));
      ways.add(new Way("ConcurrentLinkedDeque.pollLast", () -> d.addFirst(1), d::pollLast));
      FutureTask<Integer> asked = new FutureTask<>(() -> 1);
      ways.add(new Way("FutureTask.isDone", asked::run, () -> until(asked::isDone)));
      CompletableFuture<Integer> f = new CompletableFuture<>();
      ways.add(new Way("CompletableFuture.getNow", () -> f.complete(1), () -> f.getNow(2)));
      CompletableFuture<Integer> g = new CompletableFuture<>();
      ways.add(new Way("CompletableFuture.isDone", () -> g.complete(1), g::isDone));
    }
    return ways;
  }

  interface Pool { ExecutorService make() throws Exception; }

  /** A task begins no earlier than it was submitted, and its result and its executor's end are no earlier than it. */
  static void checkPool(String name, Pool made) throws Exception {
    ExecutorService pool = made.make();
    pool.submit(() -> 0).get();
    until(() -> true);
    work();
    long submitted = System.nanoTime();
    Future<long[]> f = pool.submit(() -> { long begin = System.nanoTime(); work(); long end = System.nanoTime(); isSent = true; return new long[] {begin, end}; });
    until(() -> f.isDone());
    long[] took = f.get();
    isSent = false;
    String when = took[0] >= submitted && took[0] < submitted + NEAR && System.nanoTime() >= took[1] && System.nanoTime() < took[1] + NEAR ? "near" : "not near";
    long[] ended = new long[1];
    pool.execute(() -> { work(); ended[0] = System.nanoTime(); isSent = true; });
    pool.shutdown();
    until(() -> isSent);
    until(new BooleanSupplier() { int n; public boolean getAsBoolean() { return n++ > 1000; } });
    pool.awaitTermination(600, TimeUnit.SECONDS);
    System.out.println(name + ": " + when + ", " + (System.nanoTime() >= ended[0] ? "ended" : "ends before its task"));
  }

  /** What is waited for in vain takes its timeout, and no one's time. */
  static void checkTimeouts() throws Exception {
    Action[] waits = {
      () -> new CountDownLatch(1).await(5, TimeUnit.MILLISECONDS),
      () -> new Semaphore(0).tryAcquire(5, TimeUnit.MILLISECONDS),
      () -> new LinkedBlockingQueue<>().poll(5, TimeUnit.MILLISECONDS),
      () -> new ArrayBlockingQueue<>(1).poll(5, TimeUnit.MILLISECONDS),
      () -> new SynchronousQueue<>().poll(5, TimeUnit.MILLISECONDS),
      () -> new LinkedTransferQueue<>().poll(5, TimeUnit.MILLISECONDS),
      () -> { try { new CompletableFuture<>().get(5, TimeUnit.MILLISECONDS); } catch (TimeoutException e) { } },
      () -> { try { new FutureTask<>(() -> 1).get(5, TimeUnit.MILLISECONDS); } catch (TimeoutException e) { } },
      () -> { try { new Exchanger<>().exchange(1, 5, TimeUnit.MILLISECONDS); } catch (TimeoutException e) { } },
      () -> { try { new CyclicBarrier(2).await(5, TimeUnit.MILLISECONDS); } catch (TimeoutException e) { } },
    };
    for (Action wait : waits) wait.run(); // loads classes
    for (int i = 0; i < waits.length; i++) {
      long begin = System.nanoTime();
      waits[i].run();
      long took = System.nanoTime() - begin;
      System.out.println("timed out " + i + ": " + (took >= 5_000_000 && took < 5_000_000 + NEAR ? "near" : "took " + took));
    }
  }

  static void checkAll() throws Exception {
    for (boolean isThere : new boolean[] {true, false}) {
      for (Way way : ways(isThere)) check(way, isThere);
    }
    work();
    Thread t = thread(() -> { work(); sentAt = System.nanoTime(); });
    until(() -> !t.isAlive());
    t.join();
    System.out.println("join: " + (System.nanoTime() >= sentAt && System.nanoTime() < sentAt + NEAR ? "near" : "not near"));
    ThreadFactory threads = r -> { Thread w = new Thread(r); w.setDaemon(true); return w; };
    checkPool("fixed pool", () -> Executors.newFixedThreadPool(1, threads));
    checkPool("cached pool", () -> Executors.newCachedThreadPool(threads));
    checkPool("pool with an array", () -> new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(9), threads));
    checkPool("scheduled pool", () -> Executors.newScheduledThreadPool(1, threads));
    checkPool("fork-join pool", () -> new ForkJoinPool(1));
    if (Runtime.version().feature() >= 21) checkPool("thread for each task", () -> (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null));
    checkTimeouts();
  }

  public static void main(String[] args) throws Exception {
    isVirtual = args.length > 0;
    if (!isVirtual) {
      checkAll();
      return;
    }
    Thread t = thread(checked(Messages::checkAll));
    t.join();
  }
}
