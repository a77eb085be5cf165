package battery;

import java.io.PrintStream;
import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/** What the collector does to objects that nobody holds, locked ones and others. */
final class References {
  private References() {}

  private static final class Tree {
    Tree left;
    Object[] more = {new int[2], new Object()};
  }

  private static Object garbage(int number) {
    Object made = switch (number % 4) {
      case 0 -> new Object();
      case 1 -> new Tree();
      case 2 -> new byte[number];
      default -> new Thread(() -> {});
    };
    if (number % 3 == 0) {
      synchronized (made) {
        return made;
      }
    }
    return made;
  }

  private static Reference<?> reference(int number, ReferenceQueue<Object> queue) {
    Object object = garbage(number);
    return number % 2 == 0
        ? new WeakReference<>(object, queue)
        : new PhantomReference<>(object, queue);
  }

  static void run(PrintStream out) throws Exception {
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    List<Reference<?>> references = new ArrayList<>();
    for (int k = 0; k < 40; k++) {
      references.add(reference(k, queue));
    }
    SoftReference<Object> soft = new SoftReference<>(garbage(1));
    Map<Object, Integer> weak = new WeakHashMap<>();
    Object kept = garbage(3);
    weak.put(kept, 1);
    weak.put(garbage(3), 2);
    Map<Integer, Thread> cleaned = new ConcurrentHashMap<>();
    Cleaner cleaner = Cleaner.create();
    for (int k = 0; k < 8; k++) {
      int number = k;
      cleaner.register(garbage(k), () -> cleaned.put(number, Thread.currentThread()));
    }
    System.gc();
    TreeSet<Integer> enqueued = new TreeSet<>();
    while (enqueued.size() < references.size()) {
      enqueued.add(references.indexOf(queue.remove()));
    }
    while (cleaned.size() < 8) {
      Thread.onSpinWait();
    }
    out.println(enqueued);
    out.println(cleaned.keySet() + " " + (soft.get() != null) + " " + weak.get(kept));
    while (weak.size() > 1) {
      Thread.onSpinWait();
    }
    Reference.reachabilityFence(kept);
  }
}
