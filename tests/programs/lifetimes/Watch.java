import java.io.File;
import java.io.PrintStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Time passes in ticks of four MiB. A program that has begun with an argument is its own oracle: it
 * has the collector run at each tick, and writes which objects that it holds by weak references
 * only are gone, and after how many ticks.
 */
public final class Watch {
  private static final int TICK = 4 << 20;
  private static final int LONGEST_WAIT_MS = 2_000;

  private static PrintStream out;
  private static int now;
  private static int ofVm; // threads of the operating system that are none of Java
  private static final List<WeakReference<Object>> watched = new ArrayList<>();
  private static final List<Integer> births = new ArrayList<>();
  private static final List<String> names = new ArrayList<>();
  private static final Map<String, Integer> unconstructed = new HashMap<>();

  private Watch() {}

  public static void begin(String[] args) throws Exception {
    out = args.length > 0 ? new PrintStream(args[0]) : null;
    ofVm = out == null ? 0 : threadsOfVm();
  }

  private static int threadsOfVm() {
    String[] all = new File("/proc/self/task").list();
    return (all == null ? 0 : all.length) - Thread.getAllStackTraces().size();
  }

  /** A thread that has ended for Java holds objects until the VM has let go of it. */
  private static void awaitEndsOfThreads() throws InterruptedException {
    long end = System.nanoTime() + LONGEST_WAIT_MS * 1_000_000L;
    int seen;
    while ((seen = threadsOfVm()) > ofVm && System.nanoTime() < end) {
      Thread.sleep(1);
    }
    ofVm = seen; // one of the VM's own may have begun or ended
  }

  /**
   * A thread of the VM, which may not run at once on a busy machine, lets go of those that have
   * ended, in turn: of the last one last.
   */
  private static void collectUntilThreadsAreLetGoOf() throws InterruptedException {
    long end = System.nanoTime() + LONGEST_WAIT_MS * 1_000_000L;
    WeakReference<Thread> last = endedThread();
    do {
      System.gc();
    } while (last.get() != null && System.nanoTime() < end);
  }

  private static WeakReference<Thread> endedThread() throws InterruptedException {
    Thread thread = new Thread();
    thread.start();
    thread.join();
    return new WeakReference<>(thread);
  }

  /**
   * Before the operands of a constructor: how many ticks there have been. If one of them ends by an
   * exception, the object is never seen.
   */
  public static synchronized int born(String name) {
    if (out != null) {
      unconstructed.merge(name, 1, Integer::sum);
    }
    return now;
  }

  public static synchronized void tick() {
    byte[] bytes = new byte[TICK - 16];
    bytes = null;
    collect(now++);
  }

  /** Writes what is gone, and was not when there had been so many ticks. */
  private static void collect(int last) {
    if (out == null) {
      return;
    }
    try {
      awaitEndsOfThreads();
      collectUntilThreadsAreLetGoOf();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    int kept = 0;
    for (int k = 0; k < names.size(); k++) {
      if (watched.get(k).get() == null) {
        out.println(names.get(k) + " " + (last - births.get(k)));
      } else {
        watched.set(kept, watched.get(k));
        births.set(kept, births.get(k));
        names.set(kept, names.get(k));
        kept++;
      }
    }
    watched.subList(kept, watched.size()).clear();
    births.subList(kept, births.size()).clear();
    names.subList(kept, names.size()).clear();
  }

  public static void ticks(int n) {
    for (int k = 0; k < n; k++) {
      tick();
    }
  }

  /** Watches an object that was made now. */
  public static synchronized <T> T see(T object) {
    if (out != null) {
      watch(object, now);
    }
    return object;
  }

  /** Watches one of which {@link #born} was told, and when. */
  public static synchronized void see(Object object, int born) {
    if (out != null) {
      watch(object, born);
      unconstructed.merge(object.getClass().getName(), -1, Integer::sum);
    }
  }

  private static void watch(Object object, int born) {
    watched.add(new WeakReference<>(object));
    births.add(born);
    names.add(object.getClass().getName());
  }

  /** The program ends here: what is not gone now is alive. */
  public static synchronized void end() {
    if (out != null) {
      collect(now);
      names.forEach(name -> out.println(name + " alive"));
      unconstructed.forEach(
          (name, times) -> {
            for (int k = 0; k < times; k++) {
              out.println(name + " unconstructed");
            }
          });
      out.flush();
    }
  }
}
