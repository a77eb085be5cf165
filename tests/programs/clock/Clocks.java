import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/** What a thread's logical clock says, worked out by hand. */
public class Clocks {
  static volatile long other; // the time that another thread read last

  // A block's bytecodes are added when it is entered. After the first reading: 3 bytecodes
  // for each of n + 1 tests, 7 for each of n rounds, 4 of the last block, and 25 ns of a reading.
  static long spent(int n) {
    long begin = System.nanoTime();
    long sum = 0;
    for (int i = 0; i < n; i++) {
      sum += i;
    }
    return System.nanoTime() - begin;
  }

  static long slept(long millis) throws InterruptedException {
    long begin = System.nanoTime();
    Thread.sleep(millis);
    return System.nanoTime() - begin;
  }

  static class Sleeper extends Thread {
    static long slept(long millis) throws InterruptedException {
      long begin = System.nanoTime();
      sleep(millis); // by the name of this class
      return System.nanoTime() - begin;
    }
  }

  static long work() {
    for (int i = 0; i < 100_000; i++) {
      if (i < 0) {
        return i;
      }
    }
    return other = System.nanoTime();
  }

  /** Says whether a time is at or at most 0.2 ms after another. */
  static void near(String what, long time, long after) {
    boolean isNear = time >= after && time - after < 200_000;
    System.out.println(what + ": " + (isNear ? "near" : time - after + " ns"));
  }

  public static void main(String[] args) throws InterruptedException {
    spent(1); // initialises what the first call does
    System.out.println("spent 0: " + spent(0)); // expect: 32
    System.out.println("spent 1000: " + spent(1000)); // expect: 10032
    slept(1);
    System.out.println("slept: " + (slept(7) - 7_000_000 < 1000));
    System.out.println("slept by a subclass: " + (Sleeper.slept(7) - 7_000_000 < 1000));
    System.out.println("day: " + Instant.now().toString().substring(0, 16));

    Thread first = new Thread(() -> other = System.nanoTime());
    long begin = System.nanoTime();
    first.start();
    first.join();
    near("a thread begins when it is started", other, begin);

    Thread second = new Thread(Clocks::work);
    begin = System.nanoTime();
    second.start();
    second.join();
    near("who joins a thread goes on at its end", System.nanoTime(), other);
    System.out.println("it worked: " + (other - begin > 500_000));

    Object monitor = new Object();
    Thread third = new Thread(() -> {
      work();
      synchronized (monitor) {
        monitor.notify();
      }
    });
    synchronized (monitor) {
      third.start();
      monitor.wait(60_000);
    }
    near("who is notified goes on when that was", System.nanoTime(), other);

    Thread main = Thread.currentThread();
    Thread fourth = new Thread(() -> {
      work();
      LockSupport.unpark(main);
    });
    long parked = other;
    fourth.start();
    do { // park first: who has only seen the other's time has not been unparked by it
      LockSupport.park();
    } while (other == parked);
    near("who is unparked goes on when that was", System.nanoTime(), other);

    Thread fifth = new Thread(() -> {
      work();
      main.interrupt();
    });
    fifth.start();
    try {
      Thread.sleep(60_000);
    } catch (InterruptedException e) {
      near("who is interrupted goes on when that was", System.nanoTime(), other);
    }

    // Both work at a time, and neither sees the other.
    long[] took = new long[2];
    Thread[] threads = new Thread[2];
    for (int i = 0; i < 2; i++) {
      int number = i;
      threads[i] = new Thread(() -> took[number] = spent(1_000_000));
      threads[i].start();
    }
    threads[0].join();
    threads[1].join();
    System.out.println("side by side: " + took[0] + " " + took[1]); // expect: 10000032 each
  }
}
