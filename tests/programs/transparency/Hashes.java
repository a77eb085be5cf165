package battery;

import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** Identity hash codes: of objects that were locked before, meanwhile, afterwards and never. */
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
  public static void main(String[] arguments) throws InterruptedException {
    identities();
    printed.setLength(0);
    first = System.identityHashCode(new Object());
    identities();
    System.out.print(printed);
    tables();
  }
}
