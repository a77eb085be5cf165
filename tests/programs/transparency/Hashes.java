package battery;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * Hash codes: identity hash codes of objects that were locked before, meanwhile, afterwards and
 * never, and codes of the program's own, asked for in every way.
 */
public final class Hashes {
  private static int first;
  private static final StringBuilder printed = new StringBuilder();

  private Hashes() {}

  private record Pair(Object left, Object right) {}

  private static class Above {
    int value;
  }

  private static final class Below extends Above {
    @Override
    public int hashCode() {
      return super.hashCode();
    }
  }

  private static final class Worker extends Thread {
    @Override
    public int hashCode() {
      return 7;
    }

    int identity() {
      return super.hashCode();
    }
  }

  private static class Coded {
    final int code;

    Coded(int code) {
      this.code = code;
    }

    @Override
    public int hashCode() {
      return code;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Coded coded && coded.code == code;
    }
  }

  private static final class OfSuper extends Coded {
    OfSuper(int code) {
      super(code);
    }

    @Override
    public int hashCode() {
      return super.hashCode() ^ 1;
    }
  }

  private static final class OfReference extends Coded {
    OfReference(int code) {
      super(code);
    }

    @Override
    public int hashCode() {
      Supplier<Integer> above = super::hashCode;
      return above.get() + above.get();
    }
  }

  private static final class OfLibrary extends ArrayList<Object> {
    private static final long serialVersionUID = 1L;

    @Override
    public int hashCode() {
      return 31 * super.hashCode();
    }
  }

  private static Object[] all() {
    return new Object[] {new Object(), new int[3], new Object[2][2], new Above(), new Below(),
      new Pair(1, 2), new Thread(() -> {}), new Worker(), new ThreadLocal<>(),
      new java.lang.ref.WeakReference<>("a"), new StringBuilder(), new Exception()};
  }

  private static void lock(Object object, Runnable inside) {
    synchronized (object) {
      inside.run();
    }
  }

  /** Each code as its distance from that of the first object. */
  private static void print(String what, Object object) {
    ToIntFunction<Object> virtual = Object::hashCode;
    Function<Object, Integer> identity = System::identityHashCode;
    StringBuilder text = new StringBuilder(what);
    text.append(' ').append(identity.apply(object) - first);
    text.append(' ').append(System.identityHashCode(object) - first);
    if (object instanceof Worker worker) {
      text.append(' ').append(worker.identity() - first);
    } else if (!(object instanceof Pair)) {
      text.append(' ').append(object.hashCode() - first);
      text.append(' ').append(virtual.applyAsInt(object) - first);
    }
    if (object.getClass().isArray()) {
      String said = object.toString();
      text.append(' ').append(Integer.parseInt(said, said.indexOf('@') + 1, said.length(), 16)
          - first);
    }
    printed.append(text).append('\n');
  }

  /** In the order in which objects are asked, for each time at which they may have been locked. */
  private static void identities() {
    for (Object object : all()) {
      print("never", object);
    }
    Object[] before = all();
    for (Object object : before) {
      lock(object, () -> {});
    }
    for (int k = before.length - 1; k >= 0; k--) {
      print("before", before[k]);
    }
    for (Object object : all()) {
      lock(object, () -> print("within", object));
      print("outside", object);
    }
    Object[] late = all();
    for (Object object : late) {
      print("early", object);
    }
    for (Object object : late) {
      lock(object, () -> lock(object, () -> print("late", object)));
    }
  }

  /** Codes that the program computes, of objects with and without an identity hash code. */
  private static void ownCodes() throws Throwable {
    OfLibrary list = new OfLibrary();
    list.add("a");
    Object[] objects = {
      new Coded(3), new OfSuper(4), new OfReference(5), list, new Pair(6, new OfSuper(7)),
      "text", 8L, List.of(new OfSuper(9))
    };
    MethodHandle handle =
        MethodHandles.lookup()
            .findVirtual(Object.class, "hashCode", MethodType.methodType(int.class));
    Method method = Object.class.getMethod("hashCode");
    ToIntFunction<Object> reference = Object::hashCode;
    for (int time = 0; time < 3; time++) {
      StringBuilder text = new StringBuilder("own");
      for (Object object : objects) {
        text.append(' ').append(object.hashCode());
        text.append(' ').append(reference.applyAsInt(object));
        text.append(' ').append((int) handle.invokeExact(object));
        text.append(' ').append(method.invoke(object));
        text.append(' ').append(Objects.hash(object, object));
        if (time == 0) {
          lock(object, () -> {});
        } else if (time == 1) {
          text.append(System.identityHashCode(object) == System.identityHashCode(object));
        }
      }
      printed.append(text).append('\n');
    }
  }

  /** Tables by hash codes: what is in there is found, however it was locked. */
  static void tables() throws InterruptedException {
    Map<Object, String> equal = new HashMap<>();
    Map<Object, String> identical = new IdentityHashMap<>();
    Set<Object> codes = new HashSet<>();
    Object[] keys = new Object[2000];
    for (int k = 0; k < keys.length; k++) {
      keys[k] = k % 2 == 0 ? new Object() : new byte[k];
      Object key = keys[k];
      if (k % 3 == 0) {
        lock(key, () -> {});
      }
      equal.put(key, "e" + k);
      lock(key, () -> identical.put(key, "i"));
      codes.add(System.identityHashCode(key));
    }
    System.gc();
    Thread other = new Thread(() -> {
      int found = 0;
      for (Object key : keys) {
        lock(key, () -> {});
        found += equal.containsKey(key) && identical.containsKey(key) ? 1 : 0;
      }
      System.out.println("found " + found);
    });
    other.start();
    other.join();
    System.out.println("codes: " + codes.size());
  }

  /** What the VM links on the way has codes, too, so all is done once before. */
  public static void main(String[] arguments) throws Throwable {
    identities();
    printed.setLength(0);
    first = System.identityHashCode(new Object());
    identities();
    ownCodes();
    System.out.print(printed);
    tables();
  }
}
