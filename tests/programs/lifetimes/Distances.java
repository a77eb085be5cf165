import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Objects that die at a known distance from where they were made: the number at the end of the
 * class's name. An object dies in the frame whose variable, or where the reference in the heap,
 * referred to it last. Nothing is allocated between what lets go of an object and what does so
 * last, unless the name of the class says so.
 */
public final class Distances {
  static final class Overwritten0 {}

  static final class Passed0 {}

  static final class Returned1 {}

  static final class Below1 {}

  static final class Caught0 {}

  static final class CaughtUnused0 {}

  static final class CaughtAlive0 {}

  static final class Rethrown0 {}

  static final class Unwound0 {}

  static final class UnwoundMade1 {}

  static final class UnwoundBelow1 {}

  static final class Deep0 {}

  static final class Taken0 {}

  static final class TakenUsed0 {}

  static final class TakenBelow2 {}

  static final class Polled0 {}

  static final class Removed0 {}

  static final class Cleared1 {}

  static final class ClearedTwice2 {}

  static final class Replaced0 {}

  static final class ReplacedBelow1 {}

  static final class InThread0 {}

  static final class Failure extends RuntimeException {
    Failure() {
      super(null, null, false, false);
    }
  }

  static final class Box {
    Object content;

    Object take() {
      Object taken = content;
      content = null;
      return taken;
    }

    void clear() {
      content = null;
    }

    void clearWith(Box other) {
      content = null;
      other.clear();
    }
  }

  static int uses;
  static Object kept;
  static final Failure FAILURE = new Failure();

  public static void main(String[] args) throws InterruptedException {
    simple();
    caught();
    unused();
    alive();
    rethrown();
    for (int k = 0; k < 2; k++) {
      unwound();
    }
    taken();
    containers();
    cleared();
    replaced();
    Thread thread = new Thread(Distances::thrown);
    thread.setUncaughtExceptionHandler((who, what) -> uses++);
    thread.start();
    thread.join();
    System.out.println(uses);
  }

  static void simple() {
    Object a = new Overwritten0();
    a = null;
    Object b = new Passed0();
    use(b);
    b = null;
    Object c = makeReturned();
    c = null;
    below(1);
  }

  static Object makeReturned() {
    return new Returned1();
  }

  /** The object is made here, and dies in the frame below, where the variable is overwritten. */
  static void below(int n) {
    drop(new Below1());
  }

  static void drop(Object o) {
    o = null;
    uses++;
  }

  static void caught() {
    try {
      Object o = new Caught0();
      fail(o);
    } catch (Failure e) { // has the place of the variable
      uses++;
    }
  }

  static void unused() {
    int number;
    long other;
    try {
      number = 1;
      other = 2;
      Object o = new CaughtUnused0();
      fail(o);
    } catch (Failure e) {
      use(null);
    }
    use(null);
  }

  static void alive() {
    Object o = new CaughtAlive0();
    try {
      fail(o);
    } catch (Failure e) {
      use(null);
    }
    o = null;
  }

  static void rethrown() {
    try {
      cleaned();
    } catch (Failure e) {
      uses++;
    }
  }

  static void cleaned() {
    Object o = new Rethrown0();
    try {
      fail(o);
    } finally {
      uses++;
    }
  }

  static void unwound() {
    try {
      outer();
    } catch (Failure e) {
      uses++;
    }
    try {
      deep(new Object[1], 20);
    } catch (Failure e) {
      uses++;
    }
  }

  static void outer() {
    Object o = new Unwound0();
    Object made = makeUnwound();
    middle(o, made);
  }

  static Object makeUnwound() {
    return new UnwoundMade1();
  }

  static void middle(Object o, Object made) {
    inner(o, made, new UnwoundBelow1());
  }

  static void inner(Object o, Object made, Object below) {
    fail(made);
  }

  static void deep(Object[] all, int n) {
    Object o = n == 10 ? new Deep0() : all[0];
    if (n == 0) {
      fail(o);
    }
    deeper(all, o, n);
  }

  static void deeper(Object[] all, Object o, int n) {
    deep(all, n - 1);
  }

  static void taken() {
    Box box = new Box();
    box.content = new Taken0();
    Object a = box.take();
    a = null;
    box.content = new TakenUsed0();
    Object b = box.take();
    use(b);
    b = null;
    fill(box);
    takeBelow(box);
  }

  static void fill(Box box) {
    box.content = new TakenBelow2();
  }

  static void takeBelow(Box box) {
    Object o = box.take();
    use(o);
    o = null;
  }

  static void containers() {
    ArrayDeque<Object> queue = new ArrayDeque<>();
    queue.add(new Polled0());
    Object a = queue.poll();
    use(a);
    a = null;
    List<Object> list = new ArrayList<>();
    list.add(new Removed0());
    Object b = list.remove(0);
    use(b);
    b = null;
  }

  static void cleared() {
    Box one = new Box();
    Box other = new Box();
    one.content = new Cleared1();
    kept = new int[1]; // time passes: no variable refers to the object any more
    one.clear();
    kept = new int[2];
    Object both = new ClearedTwice2();
    one.content = both;
    other.content = both;
    both = null;
    kept = new int[3];
    one.clearWith(other);
    kept = new int[4];
  }

  static void replaced() {
    Box box = new Box();
    box.content = new Replaced0();
    box.content = new int[5];
    box.content = new ReplacedBelow1();
    kept = new int[6];
    put(box, kept);
    kept = null;
  }

  static void put(Box box, Object content) {
    box.content = content;
  }

  static void thrown() {
    Object o = new InThread0();
    fail(o);
  }

  static void use(Object o) {
    uses++;
  }

  static void fail(Object o) {
    throw FAILURE;
  }
}
