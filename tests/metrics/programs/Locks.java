import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Monitors, waits, notifications, parking and atomic operations, each in straight lines. Its 66
 * bytecodes: main 17, work 25, locked 3 * 1, waiting 21.
 */
public final class Locks {
  public static void main(String[] args) throws InterruptedException {
    Object lock = new Object(); // 4
    AtomicInteger number = new AtomicInteger(); // 4
    LockSupport.unpark(null); // 2: unpark; makes the VM load the class here, not in work
    Thread self = Thread.currentThread(); // 2
    work(lock, number, self); // 4
  } // 1

  static void work(Object lock, AtomicInteger number, Thread self) throws InterruptedException {
    locked(); // 1: enters a monitor as a synchronized method
    locked(); // 1
    locked(); // 1
    waiting(lock); // 2
    number.incrementAndGet(); // 3: Unsafe.getAndAddInt
    number.incrementAndGet(); // 3
    number.compareAndSet(0, 9); // 5: Unsafe.compareAndSetInt
    number.set(5); // 3: a volatile store, no atomic operation
    LockSupport.unpark(self); // 2: unpark
    LockSupport.park(); // 1: park
    LockSupport.parkNanos(1); // 2: park with a time-out
  } // 1

  static synchronized void locked() {} // 1

  static void waiting(Object lock) throws InterruptedException {
    synchronized (lock) { // 4: monitorenter
      lock.notify(); // 2
      lock.notifyAll(); // 2
      lock.notifyAll(); // 2
      lock.wait(1); // 3
      lock.wait(1, 0); // 4: calls wait(long), and is one wait
    } // 3
  } // 1
}
