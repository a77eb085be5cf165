import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

/** Locks objects, and asks them for hash codes, in ways whose counts are worked out by hand. */
public class Uses {
  // ---- locks

  static class Nested {
    synchronized void deep(int depth) {
      if (depth > 1) {
        deep(depth - 1);
      }
    }
  }

  static class Mixed {
    synchronized void method(int more) {
      synchronized (this) {
        if (more > 0) {
          method(more - 1);
        }
      }
    }
  }

  static class Thrown {
    synchronized void method(int depth) {
      if (depth == 0) {
        throw new IllegalStateException();
      }
      method(depth - 1);
    }

    void block(int depth) {
      synchronized (this) {
        if (depth == 0) {
          throw new IllegalStateException();
        }
        block(depth - 1);
      }
    }
  }

  static class Static {
    static synchronized void method(int depth) {
      if (depth > 1) {
        method(depth - 1);
      }
    }
  }

  static class Waited {
    boolean isReady;
  }

  static class Timed {}

  static class Shared {}

  static class Cloned implements Cloneable {
    int value = 1;

    @Override
    public Cloned clone() {
      try {
        return (Cloned) super.clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
  }

  static class ClonedBelow extends Cloned {
    @Override
    public ClonedBelow clone() {
      ClonedBelow clone = (ClonedBelow) super.clone();
      synchronized (clone) {
        clone.value++;
      }
      return clone;
    }
  }

  static void nest() {
    for (int depth = 1; depth <= 5; depth++) {
      new Nested().deep(depth);
    }
    new Mixed().method(1);
    Static.method(3);
    Static.method(1);
  }

  static void leaveByExceptions() {
    Thrown thrown = new Thrown();
    for (int depth = 2; depth >= 0; depth--) {
      try {
        thrown.method(depth);
      } catch (IllegalStateException e) {
        // what it held is free again: the next one starts at depth 1
      }
      try {
        thrown.block(depth);
      } catch (IllegalStateException e) {
        // likewise
      }
    }
    try {
      synchronized (nothing()) {
        thrown.block(0);
      }
    } catch (NullPointerException e) {
      // nothing was locked
    }
  }

  static Object nothing() {
    return null;
  }

  /** Two threads: while one waits that holds the monitor twice, the other has it thrice. */
  static void waitAndNotify() throws InterruptedException {
    Waited waited = new Waited();
    CountDownLatch holds = new CountDownLatch(1);
    Thread waiting =
        new Thread(
            () -> {
              synchronized (waited) {
                synchronized (waited) {
                  holds.countDown();
                  while (!waited.isReady) {
                    await(waited);
                  }
                  synchronized (waited) {
                    waited.isReady = false; // depth 3
                  }
                }
              }
            });
    waiting.start();
    holds.await();
    synchronized (waited) {
      synchronized (waited) {
        synchronized (waited) {
          waited.isReady = true;
          waited.notifyAll();
        }
      }
    }
    waiting.join();
    Timed timed = new Timed();
    synchronized (timed) {
      timed.wait(1);
      timed.wait(1, 1);
      timed.notify();
    }
    try {
      timed.wait(); // by a thread that does not own it
    } catch (IllegalMonitorStateException e) {
      synchronized (timed) {
        timed.notify();
      }
    }
  }

  static void await(Object monitor) {
    try {
      monitor.wait();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** One object for 1 to 4 threads. */
  static void share() throws InterruptedException {
    for (int n = 1; n <= 4; n++) {
      Shared shared = new Shared();
      Thread[] threads = new Thread[n];
      for (int k = 0; k < n; k++) {
        threads[k] =
            new Thread(
                () -> {
                  synchronized (shared) {
                    synchronized (shared) {
                      Thread.yield();
                    }
                  }
                });
        threads[k].start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  /** Objects that have no words of their own. */
  static void lockOthers() {
    char[][] arrays = new char[3][1];
    for (int k = 0; k < arrays.length; k++) {
      for (int times = 0; times <= k; times++) {
        synchronized (arrays[k]) {
          arrays[k][0]++;
        }
      }
    }
    long[] kept = new long[1];
    for (int k = 0; k < 2000; k++) { // most of them are garbage soon
      long[] lock = k == 0 ? kept : new long[1];
      synchronized (lock) {
        synchronized (kept) {
          lock[0]++;
        }
      }
    }
  }

  static void cloneLocked() {
    ClonedBelow original = new ClonedBelow();
    for (int k = 0; k < 3; k++) {
      synchronized (original) {
        original.value++;
      }
    }
    ClonedBelow clone = original.clone(); // locked once
    synchronized (clone.clone()) { // twice
      clone.hashCode();
    }
    Cloned other = new Cloned();
    synchronized (other) {
      other.hashCode();
    }
    other.clone().hashCode();
  }

  // ---- hash codes

  static class Plain {}

  static class Own {
    int value;

    @Override
    public int hashCode() {
      return value;
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }
  }

  static class CallsSuper {
    @Override
    public int hashCode() {
      return super.hashCode() ^ 1;
    }
  }

  static class Between extends Plain {}

  /** Calls the hashCode of a superclass that inherits Object's. */
  static class CallsInherited extends Between {
    @Override
    public int hashCode() {
      return super.hashCode() ^ 1;
    }
  }

  /** Two bodies for one call. */
  static class CallsOwn extends Own {
    @Override
    public int hashCode() {
      return super.hashCode() + 1;
    }
  }

  record Point(int x, Own part) {}

  enum Color {
    RED,
    BLUE
  }

  static int hash(Object object, int times) {
    int sum = 0;
    for (int k = 0; k < times; k++) {
      sum += object.hashCode();
    }
    return sum;
  }

  static int askForHashCodes() {
    int sum = hash(new Plain(), 1) + hash(new Plain(), 2) + hash(new Plain(), 4);
    sum += hash(new Own(), 5) + hash(new CallsSuper(), 3) + hash(new CallsInherited(), 2);
    sum += hash(new CallsOwn(), 1) + hash(new Point(1, new Own()), 2);
    sum += hash(new float[2], 2) + new double[1].hashCode() + Arrays.hashCode(new Own[3]);
    sum += Objects.hash(new Own(), new Own(), null) + Objects.hashCode(new Own());
    Plain identified = new Plain();
    sum += System.identityHashCode(identified) + System.identityHashCode(null);
    Own both = new Own();
    sum += System.identityHashCode(both) + both.hashCode();
    Map<Object, String> byIdentity = new IdentityHashMap<>();
    byIdentity.put(both, "both"); // asks once
    Map<Color, String> colors = new HashMap<>();
    colors.put(Color.RED, "r"); // asks once
    colors.get(Color.RED); // and once more
    try {
      hash(null, 1);
    } catch (NullPointerException e) {
      sum++;
    }
    return sum + choose(new String("blue")) + choose(new String("red"));
  }

  static int choose(String color) {
    return switch (color) {
      case "red" -> 1;
      case "blue" -> 2;
      default -> 3;
    };
  }

  static void hashMillions() {
    Own own = new Own();
    for (int k = 0; k < 1_100_000; k++) {
      own.hashCode();
    }
  }

  public static void main(String[] args) throws InterruptedException {
    nest();
    leaveByExceptions();
    waitAndNotify();
    share();
    lockOthers();
    cloneLocked();
    askForHashCodes();
    hashMillions();
    System.out.println("done");
  }
}
