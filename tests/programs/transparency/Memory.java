package battery;

import java.io.PrintStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.ref.WeakReference;

/** Limits of memory as a program sees them, and what happens at them. */
final class Memory {
  private Memory() {}

  static void run(PrintStream out) throws Exception {
    out.println(Runtime.getRuntime().maxMemory());
    out.println(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getMax() + " "
        + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getInit() + " "
        + ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage().getMax());
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      out.println(pool.getName() + " " + pool.getUsage().getMax() + " " + pool.getType());
    }
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      out.println(collector.getName());
    }
    try {
      out.println(new long[Integer.MAX_VALUE].length);
    } catch (OutOfMemoryError e) {
      out.println(e);
    }
    if (Runtime.getRuntime().maxMemory() < 1L << 26) {
      out.println(fill());
    }
    WeakReference<Object> weak = new WeakReference<>(new Object());
    System.gc();
    out.println(weak.get());
  }

  /** Chunks of a megabyte until there is no room: how many, to the nearest four. */
  private static String fill() {
    Object[] kept = new Object[1000];
    int count = 0;
    try {
      while (true) {
        kept[count++] = new byte[1 << 20];
      }
    } catch (OutOfMemoryError e) {
      kept = null;
      return e.getMessage() + " " + (count + 2) / 4 * 4;
    }
  }
}
