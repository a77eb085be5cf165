package battery;

import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Stack traces by every way there is. */
final class Traces {
  private Traces() {}

  static void run(PrintStream out) throws Exception {
    Runnable traces = () -> {
      print(out, new Throwable("new"));
      print(out, Thread.currentThread().getStackTrace());
      walk(out);
    };
    traces.run();
    Traces.class.getDeclaredMethod("reflected", Runnable.class).invoke(null, traces);
    new Deep().go(traces);
    String[] reached = {""};
    try {
      Object none = reached.length == 1 ? null : "";
      none.hashCode();
    } catch (NullPointerException e) {
      print(out, e);
    }
    initialisers(out);
    ofOthers(out);
    threads(out);
  }

  private static void initialisers(PrintStream out) {
    for (int i = 0; i < 2; i++) {
      try {
        new BadStart();
      } catch (LinkageError e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
          print(out, t);
        }
      }
    }
  }

  private static final class BadStart {
    static final int VALUE = Integer.parseInt("bad");
  }

  static void reflected(Runnable runnable) {
    runnable.run();
  }

  private static final class Deep {
    void go(Runnable runnable) {
      Arrays.asList(3, 1, 2).sort((a, b) -> {
        if (a + b == 4) {
          runnable.run();
        }
        return a - b;
      });
    }
  }

  static void print(PrintStream out, Throwable thrown) {
    out.println(thrown);
    print(out, thrown.getStackTrace());
    for (Throwable suppressed : thrown.getSuppressed()) {
      print(out, suppressed);
    }
  }

  static void print(PrintStream out, StackTraceElement[] trace) {
    for (StackTraceElement frame : trace) {
      out.println("  " + frame + "|" + frame.getFileName() + "|" + frame.getLineNumber()
          + "|" + frame.isNativeMethod() + "|" + frame.getModuleName() + "|"
          + frame.getClassLoaderName());
    }
  }

  static void walk(PrintStream out) {
    for (Set<StackWalker.Option> options : List.of(
        Set.<StackWalker.Option>of(), Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE),
        Set.of(StackWalker.Option.SHOW_REFLECT_FRAMES, StackWalker.Option.RETAIN_CLASS_REFERENCE),
        Set.of(StackWalker.Option.SHOW_HIDDEN_FRAMES))) {
      StackWalker walker = StackWalker.getInstance(options);
      out.println(options.isEmpty() ? "walk" : "walk " + new TreeSet<>(options));
      walker.forEach(frame -> {
        boolean known = options.contains(StackWalker.Option.RETAIN_CLASS_REFERENCE);
        // Where in its bytecode a method is, an instrumented one does not know as it was.
        out.println("  " + frame.getClassName() + "." + frame.getMethodName() + " "
            + frame.getLineNumber() + " " + frame.isNativeMethod()
            + " " + frame.getFileName() + " " + frame.toStackTraceElement() + " "
            + (known ? frame.getDescriptor() + frame.getDeclaringClass() : ""));
      });
      out.println("  count " + walker.walk(frames -> frames.count()) + " "
          + walker.walk(frames -> frames.skip(1).limit(2).map(Object::toString).toList()));
      if (options.contains(StackWalker.Option.RETAIN_CLASS_REFERENCE)) {
        if (Runtime.version().feature() >= 22) {
          classes(out);
        }
        out.println("  caller " + walker.getCallerClass());
      }
    }
  }

  /** A walk that wants classes only, which JDK 22 brought. */
  private static void classes(PrintStream out) {
    StackWalker.Option only = StackWalker.Option.valueOf("DROP_METHOD_INFO");
    StackWalker walker = StackWalker.getInstance(
        Set.of(only, StackWalker.Option.RETAIN_CLASS_REFERENCE));
    walker.forEach(frame -> out.println("  " + frame.getDeclaringClass()));
  }

  private static void ofOthers(PrintStream out) throws InterruptedException {
    ofOther(out, Runnable::run);
  }

  /**
   * Traces of another thread that waits at a known place, called by a way. The first time loads
   * classes and meets fields, for which a thread of a recording may have to wait until another one
   * has done so (docs/record.md), which its blocked count then says; the second time tells. Only
   * that thread does something new meanwhile: a latch would have both meet fields that are for
   * waiting, whenever both come to wait.
   */
  static void ofOther(PrintStream out, Consumer<Runnable> way) throws InterruptedException {
    meet(new PrintStream(OutputStream.nullOutputStream()), way);
    meet(out, way);
  }

  private static void meet(PrintStream out, Consumer<Runnable> way) throws InterruptedException {
    Runnable parks = () -> LockSupport.park(Traces.class);
    Thread thread = new Thread(() -> way.accept(parks), "parks");
    thread.setDaemon(true);
    thread.start();
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    print(out, thread.getStackTrace());
    print(out, Thread.getAllStackTraces().get(thread));
    ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId(), 100);
    print(out, info.getStackTrace());
    out.println(info.getThreadName() + " " + info.getThreadState() + " " + info.getLockName()
        .replaceAll("@.*", "") + " " + info.getBlockedCount());
    LockSupport.unpark(thread);
    thread.join();
  }

  private static void threads(PrintStream out) throws InterruptedException {
    Map<String, String> all = new TreeMap<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      all.put(thread.getName(), thread.isDaemon() + " " + thread.getPriority() + " "
          + thread.getThreadGroup().getName());
    }
    out.println(all);
    ThreadGroup root = Thread.currentThread().getThreadGroup().getParent();
    out.println(root.activeCount() + " " + root.activeGroupCount());
    out.println(ManagementFactory.getThreadMXBean().getThreadCount() + " "
        + ManagementFactory.getThreadMXBean().getDaemonThreadCount());
    Thread made = new Thread(() -> {});
    out.println(made.getName()); // its number depends on when the VM starts compilers
  }
}
