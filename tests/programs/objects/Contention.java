import java.util.function.Function;

/** Entries of monitors that have to wait for another thread, a known number of each kind. */
public class Contention {
  static class Block {}

  static class Second {}

  static class Waited {
    synchronized void enter() {}
  }

  static class Free {}

  static class Virtual {}

  static class Method {
    synchronized void enter() {
      again();
    }

    synchronized void again() {}
  }

  static class OfClass {
    static synchronized void enter() {}
  }

  static class Outer {
    final Inner inner = new Inner();

    synchronized void enter() {
      inner.enter();
    }
  }

  static class Inner {
    synchronized void enter() {}
  }

  static boolean hasEntered;
  static volatile boolean isAtMonitor;

  static void block(Object lock) {
    synchronized (lock) {
      synchronized (lock) { // its own: nothing to wait for
      }
    }
  }

  static void blocks(Object free, Object lock) {
    synchronized (free) {
      synchronized (lock) {
      }
    }
  }

  /** Takes the monitor again after a wait that is interrupted, which is no entry. */
  static void waitFor(Waited lock) {
    synchronized (lock) {
      hasEntered = true;
      lock.notify();
      try {
        lock.wait();
        throw new AssertionError("nobody notifies");
      } catch (InterruptedException e) {
        hasEntered = false;
      }
    }
    lock.enter(); // free by now
  }

  /** Has a monitor until the thread that was started waits for it. */
  static void meet(int times, Object lock, Function<Runnable, Thread> starts, Runnable entering)
      throws InterruptedException {
    for (int k = 0; k < times; k++) {
      Thread other;
      synchronized (lock) {
        other = starts.apply(() -> arrive(entering));
        awaitBlocked(other);
        isAtMonitor = false;
      }
      other.join();
    }
  }

  /** Nothing follows but a monitor, so a thread that blocks from now on waits for that. */
  static void arrive(Runnable entering) {
    isAtMonitor = true;
    entering.run();
  }

  static void awaitBlocked(Thread other) {
    while (!isAtMonitor || other.getState() != Thread.State.BLOCKED) {
      Thread.onSpinWait();
    }
  }

  static Thread start(Runnable task) {
    Thread thread = new Thread(task);
    thread.start();
    return thread;
  }

  static Thread startVirtual(Runnable task) {
    try {
      return (Thread)
          Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Has the monitor when a wait of the other thread is over. This thread never competes for it: it
   * gets it back by being notified, when the other one waits.
   */
  static void meetAfterWait(Waited lock) throws InterruptedException {
    Thread other;
    synchronized (lock) {
      other = start(() -> arrive(() -> waitFor(lock)));
      awaitBlocked(other);
      while (!hasEntered) {
        lock.wait();
      }
      other.interrupt();
      awaitBlocked(other);
      isAtMonitor = false;
    }
    other.join();
  }

  public static void main(String[] args) throws InterruptedException {
    Function<Runnable, Thread> platform = Contention::start;
    Object block = new Block();
    meet(3, block, platform, () -> block(block));
    Object second = new Second();
    Object free = new Free();
    meet(2, second, platform, () -> blocks(free, second));
    int[] array = {1};
    meet(2, array, platform, () -> block(array));
    Method method = new Method();
    meet(4, method, platform, method::enter);
    meet(5, OfClass.class, platform, OfClass::enter);
    Outer outer = new Outer();
    meet(1, outer.inner, platform, outer::enter);
    meetAfterWait(new Waited());
    if (args[0].equals("virtual")) {
      Object lock = new Virtual();
      meet(6, lock, Contention::startVirtual, () -> block(lock));
    }
    blocks(free, second);
    method.enter();
    System.out.println("met");
    if (args[1].equals("halt")) {
      Runtime.getRuntime().halt(1);
    }
  }
}
