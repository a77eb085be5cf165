import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that hand objects on; time passes only while all others wait. */
public class Workers {
  static class Thing {
    Thing() {
      Watch.see(this);
    }
  }

  static final class Passed extends Thing {}
  static final class Own extends Thing {}
  static final class Result extends Thing {}
  static final class Task extends Thing implements Callable<Result> {
    final Thing input = new Passed();

    @Override
    public Result call() {
      Thing own = new Own();
      Watch.tick();
      own = null;
      Watch.tick();
      return new Result();
    }
  }
  static final class Worker extends Thread {
    final BlockingQueue<Object> in = new SynchronousQueue<>();
    final BlockingQueue<Object> out = new SynchronousQueue<>();
    private Thing last;

    Worker() {
      Watch.see(this);
    }

    @Override
    public void run() {
      try {
        for (Object object = in.take(); object != this; object = in.take()) {
          last = (Thing) object;
          object = null;
          out.put("taken");
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  static void handed() throws Exception {
    Worker worker = new Worker();
    worker.start();
    for (int k = 0; k < 4; k++) {
      worker.in.put(new Passed());
      worker.out.take();
      Watch.tick();
    }
    worker.in.put(worker);
    worker.join();
    worker = null;
    Watch.ticks(2);
  }

  /** The thread of a pool lets go of its task some time after the result is there. */
  static void await(ThreadPoolExecutor pool, int tasks) {
    while (pool.getCompletedTaskCount() < tasks) {
      Thread.yield();
    }
  }

  static void pooled() throws Exception {
    ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(1);
    Future<Result> first = pool.submit(new Task());
    Result result = first.get();
    await(pool, 1);
    Watch.tick();
    first = null;
    Watch.tick();
    result = null;
    Future<?> second = pool.submit(() -> new Own());
    second.get();
    await(pool, 2);
    pool.shutdown();
    Watch.tick();
    second = null;
    Watch.tick();
  }

  static void completed() throws Exception {
    CompletableFuture<Thing> future = CompletableFuture.supplyAsync(Result::new);
    Thing result = future.thenApply(thing -> new Own()).get();
    ForkJoinPool.commonPool().awaitQuiescence(10, TimeUnit.SECONDS);
    Watch.tick();
    future = null;
    Watch.tick();
    result = null;
    Watch.tick();
  }

  static void locked() throws Exception {
    Object lock = new Own();
    CountDownLatch waits = new CountDownLatch(1);
    Thread waiter =
        new Thread(
            () -> {
              Thing own = new Own();
              synchronized (lock) {
                waits.countDown();
                try {
                  lock.wait();
                } catch (InterruptedException e) {
                  own = new Result();
                }
              }
            });
    waiter.start();
    waits.await();
    synchronized (lock) {
      Watch.tick();
      lock.notifyAll();
    }
    waiter.join();
    Watch.tick();
  }

  static void bounded() throws Exception {
    ArrayBlockingQueue<Thing> queue = new ArrayBlockingQueue<>(2);
    Thread producer =
        new Thread(
            () -> {
              try {
                for (int k = 0; k < 5; k++) {
                  queue.put(new Passed());
                }
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    producer.start();
    for (int k = 0; k < 5; k++) {
      Thing thing = queue.take();
      if (k < 2) {
        while (queue.size() < 2) {
          Thread.yield();
        }
      }
    }
    producer.join();
    Watch.tick();
  }

  public static void main(String[] args) throws Exception {
    Watch.begin(args);
    handed();
    pooled();
    completed();
    locked();
    bounded();
    Watch.end();
    System.exit(0);
  }
}
