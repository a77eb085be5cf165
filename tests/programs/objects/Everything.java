import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.IntFunction;

/**
 * Makes and uses objects in every way that a table of objects is about, in two threads, and ends as
 * it is told: {@code return}, {@code halt}, {@code memory} (an OutOfMemoryError that nobody
 * catches), or {@code wait}, for a signal. It prints a line when the work is done.
 */
public final class Everything {
  private static final int ROUNDS = 40;
  static Object sink;

  static class Point implements Cloneable, Serializable {
    private static final long serialVersionUID = 1;
    int x;
    volatile Object o;

    Point(int x) {
      this.x = x;
    }

    @Override
    public int hashCode() {
      return x;
    }

    @Override
    public Point clone() throws CloneNotSupportedException {
      return (Point) super.clone();
    }

    synchronized int locked(int depth) {
      return depth == 0 ? x : locked(depth - 1);
    }
  }

  static final class Sub extends Point {
    private static final long serialVersionUID = 1;
    long y;

    Sub(int x) {
      super(x);
      y = this.x;
    }
  }

  static final class Plain {
    int n;
  }

  /** Its constructors end before that of Object, or behind it. */
  static final class Unfinished {
    final int n;

    Unfinished(int n) {
      this(refused(n), true);
    }

    Unfinished(int n, boolean ends) {
      this.n = n;
      refused(n);
    }

    static int refused(int n) {
      if (n >= 0) {
        throw new IllegalArgumentException();
      }
      return n;
    }
  }

  record Pair(int left, String right) implements Serializable {}

  interface Way {
    Object run(int k) throws Exception;
  }

  static final Field FIELD;
  static final VarHandle HANDLE;
  static final AtomicReferenceFieldUpdater<Point, Object> UPDATER =
      AtomicReferenceFieldUpdater.newUpdater(Point.class, Object.class, "o");
  static final sun.misc.Unsafe UNSAFE;

  static {
    try {
      FIELD = Plain.class.getDeclaredField("n");
      HANDLE = MethodHandles.lookup().findVarHandle(Plain.class, "n", int.class);
      Field unsafe = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
      unsafe.setAccessible(true);
      UNSAFE = (sun.misc.Unsafe) unsafe.get(null);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static final Way[] WAYS = {
    k -> new Object(),
    k -> new Point(k),
    k -> new Sub(k),
    k -> new int[k],
    k -> new Object[3][k],
    k -> Array.newInstance(Point.class, k),
    k -> new Point(k).clone(),
    k -> new byte[k].clone(),
    k -> Integer.valueOf(1000 + k),
    k -> "k" + k,
    k -> new Pair(k, "p" + k),
    k -> Sub.class.getDeclaredConstructor(int.class).newInstance(k),
    k -> UNSAFE.allocateInstance(Plain.class),
    Everything::function,
    Everything::accesses,
    Everything::serialised,
    Everything::caught,
    Everything::monitors,
    Everything::hashes,
    Everything::unfinished,
  };

  static Object function(int k) {
    IntFunction<Object> made = n -> new int[n + k];
    return made.apply(k);
  }

  static Object accesses(int k) throws Exception {
    Plain plain = new Plain();
    plain.n = k;
    FIELD.setInt(plain, FIELD.getInt(plain) + 1);
    HANDLE.compareAndSet(plain, k + 1, k);
    Point point = new Point(k);
    UPDATER.compareAndSet(point, null, plain);
    return point;
  }

  static Object serialised(int k) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new Object[] {new Sub(k), new Pair(k, "x")});
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }

  static Object caught(int k) {
    try {
      return new int[0][k][-1];
    } catch (NegativeArraySizeException e) {
      return e.getMessage();
    }
  }

  static Object monitors(int k) throws Exception {
    Object lock = k % 2 == 0 ? new Object() : new int[1];
    Point point = new Point(k);
    synchronized (lock) {
      synchronized (lock) {
        lock.notifyAll();
      }
      lock.wait(1);
      sink = point.locked(3);
    }
    return point;
  }

  static Object hashes(int k) {
    Object[] all = {new Object(), new Point(k), new Plain(), new long[k], new Pair(k, "h")};
    int sum = 0;
    for (Object each : all) {
      sum += each.hashCode() + System.identityHashCode(each);
    }
    return sum == 1 ? all : null;
  }

  static Object unfinished(int k) {
    Way[] ways = {
      n -> new Point(Unfinished.refused(n)),
      n -> new Unfinished(n),
      n -> new Unfinished(n, true),
      n -> new Unfinished(-n - 1),
    };
    int refused = 0;
    for (Way way : ways) {
      try {
        sink = way.run(k);
      } catch (Exception e) {
        refused++;
      }
    }
    return refused;
  }

  static void work(Point shared) {
    try {
      for (int k = 0; k < ROUNDS; k++) {
        for (Way way : WAYS) {
          Object made = way.run(k);
          synchronized (shared) {
            shared.o = made;
            shared.x++;
          }
        }
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  static void workForEver(Point shared) {
    while (true) {
      work(shared);
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    Point shared = new Point(0);
    Thread other = new Thread(() -> work(shared), "other");
    other.start();
    work(shared);
    other.join();
    System.out.println("worked " + shared.x);
    switch (arguments[0]) {
      case "halt" -> Runtime.getRuntime().halt(7);
      case "wait" -> {
        new Thread(() -> workForEver(shared), "third").start();
        workForEver(shared);
      }
      case "memory" -> {
        List<Object> kept = new ArrayList<>();
        while (true) {
          kept.add(new Object[] {new Point(kept.size()), new int[10_000], "k" + kept.size()});
          synchronized (kept.get(kept.size() - 1)) {
            sink = kept.get(kept.size() / 2).hashCode();
          }
        }
      }
      default -> {}
    }
  }
}
