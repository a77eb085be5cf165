/** Three objects that are locked, one of them by two threads, and two kinds of keys. */
public class Uses {
  static final class Lock {
    final int kept;

    Lock(int kept) {
      this.kept = kept;
    }

    int nest(int depth) {
      synchronized (this) {
        return depth > 1 ? nest(depth - 1) : kept;
      }
    }
  }

  static final class Counter {
    int count;

    synchronized void add() {
      count++;
    }
  }

  static final class Bare {}

  static final class Key {
    final int value;

    Key(int value) {
      this.value = value;
    }

    @Override
    public int hashCode() {
      return value;
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Lock lock = new Lock(1);
    lock.nest(1);
    lock.nest(3); // 4 entries in all, at depths 1, 1, 2 and 3
    Counter counter = new Counter();
    counter.add();
    Thread other = new Thread(counter::add);
    other.start();
    other.join();
    Bare bare = new Bare();
    synchronized (bare) {
      bare.wait(1);
    }
    Key key = new Key(2);
    int sum = key.hashCode() + key.hashCode() + key.hashCode() + new Key(3).hashCode();
    System.out.println(sum + " " + (bare.hashCode() == System.identityHashCode(key)));
  }
}
