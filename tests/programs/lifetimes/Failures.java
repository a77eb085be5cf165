import java.util.ArrayList;
import java.util.List;

/** Objects that exceptions take along, carry, or leave behind. */
public class Failures {
  static class Thing {
    Thing() {
      Watch.see(this);
    }
  }

  static class Failure extends Exception {
    final Thing carried = new Carried();

    Failure(Throwable cause) {
      super(null, cause, true, false);
      Watch.see(this);
    }
  }

  static final class Carried extends Thing {}
  static final class Lost extends Thing {}
  static final class Kept extends Thing {}
  static final class Holding extends Thing {
    final Thing held;

    Holding(Thing held) {
      this.held = held;
    }
  }
  static final class Resource extends Thing implements AutoCloseable {
    final boolean fails;

    Resource(boolean fails) {
      this.fails = fails;
    }

    @Override
    public void close() throws Failure {
      Watch.tick();
      if (fails) {
        throw new Failure(null);
      }
    }
  }
  static final class Half extends Thing {
    final Thing first = new Kept();

    Half(int ticks) throws Failure {
      Watch.ticks(ticks);
      throw new Failure(null);
    }
  }

  static int deep(Thing thing, int n) throws Failure {
    Thing own = new Lost();
    Watch.tick();
    if (n == 0) {
      throw new Failure(null);
    }
    return deep(own, n - 1) + (thing == own ? 1 : 0);
  }

  /** Each catches, and throws another one. */
  static void wrapped(int n) throws Failure {
    try {
      if (n == 0) {
        deep(null, 1);
      }
      wrapped(n - 1);
    } catch (Failure e) {
      Watch.tick();
      throw new Failure(n == 1 ? null : e);
    }
  }

  static int finallies() {
    Thing thing = new Kept();
    try {
      deep(thing, 1);
      return 1;
    } catch (Failure e) {
      Watch.tick();
      return 2;
    } finally {
      Watch.tick();
      thing = new Kept();
      Watch.tick();
    }
  }

  /** The handler begins with a {@code new}, and what its constructor gets is a choice. */
  static Thing chosen(int n, Thing one, Thing other) throws Failure {
    Thing made = null;
    try {
      if (n % 3 == 0) {
        throw new Failure(null);
      }
      return one;
    } finally {
      made = new Holding(n % 2 == 0 ? one : other);
      Watch.tick();
    }
  }

  static void resources() {
    try (Resource one = new Resource(true);
        Resource two = new Resource(false);
        Resource three = new Resource(true)) {
      Watch.tick();
    } catch (Failure e) {
      Watch.tick();
      Watch.ticks(e.getSuppressed().length);
    }
    Watch.tick();
  }

  /** Operands wait for calls that fail. */
  static void operands() {
    List<Object> list = new ArrayList<>();
    for (int k = 0; k < 4; k++) {
      try {
        list.add(pair(new Lost(), pair(new Kept(), k % 2 == 0 ? new Half(k) : new Kept())));
        Watch.tick();
      } catch (Failure e) {
        Watch.ticks(2);
      }
    }
    list = null;
    Watch.tick();
  }

  static Object pair(Object one, Object other) {
    Watch.tick();
    return new Object[] {one, other};
  }

  static void implicit() {
    Object[] array = {new Lost(), new Kept()};
    for (int k = 0; k < 3; k++) {
      try {
        new int[] {k}.clone();
        array[k].hashCode();
        ((int[]) array[k == 0 ? 1 : 0])[0] = tick();
      } catch (ClassCastException | ArrayIndexOutOfBoundsException e) {
        array[0] = null;
        Watch.tick();
      } catch (NullPointerException e) {
        array[1] = null;
        Watch.tick();
      }
    }
    Watch.tick();
  }

  static int tick() {
    Watch.tick();
    return 1;
  }

  static int overflow(Thing thing, int n) {
    return overflow(n == 3 ? new Lost() : thing, n + 1) + 1;
  }

  public static void main(String[] args) throws Exception {
    Watch.begin(args);
    for (int n = 0; n < 6; n++) {
      try {
        chosen(n, new Kept(), new Lost());
      } catch (Failure e) {
        Watch.tick();
      }
    }
    try {
      deep(new Kept(), 3);
    } catch (Failure e) {
      Watch.ticks(2);
    }
    try {
      wrapped(3);
    } catch (Failure e) {
      for (Throwable at = e; at != null; at = at.getCause()) {
        Watch.tick();
      }
    }
    finallies();
    resources();
    operands();
    implicit();
    try {
      overflow(new Kept(), 0);
    } catch (StackOverflowError e) {
      Watch.tick();
    }
    Watch.tick();
    Watch.end();
  }
}
