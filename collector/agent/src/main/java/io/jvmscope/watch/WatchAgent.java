package io.jvmscope.watch;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/** The agent's start in a VM that runs: connects to the watcher whose socket is the option. */
public final class WatchAgent {
  /** What the messages are like; a VM may still have the agent of an older jvmscope. */
  private static final String PROTOCOL = "4";

  private static final int MOST_ATTEMPTS = 40;
  private static final long POLL_MS = 50;
  private static final AtomicBoolean IS_USED = new AtomicBoolean();

  private WatchAgent() {}

  /** Starts a thread that serves the watcher; says nothing and throws nothing to the program. */
  public static void agentmain(String socket, Instrumentation instrumentation) {
    Link link;
    try {
      link = new Link(Path.of(socket));
    } catch (VirtualMachineError e) {
      return;
    } catch (IOException e) { // the watcher is gone
      return;
    }
    Thread thread = new Thread(null, () -> serve(link, instrumentation), "jvmscope-watch");
    thread.setDaemon(true);
    thread.start();
  }

  private static void serve(Link link, Instrumentation instrumentation) {
    ThreadState.leaveOut();
    try (link) {
      if (!isAlone()) {
        link.send("busy");
        link.write();
        return;
      }
      try {
        warmUp();
        link.send("ready", PROTOCOL);
        new Session(instrumentation, link).run();
      } finally {
        IS_USED.set(false);
      }
    } catch (VirtualMachineError e) { // before any probe was put in: the program need not know
      return;
    } catch (IOException | InterruptedException e) { // the watcher is gone
      return;
    }
  }

  /** Whether no other watcher has probes in this VM; waits for one that is just going. */
  private static boolean isAlone() throws InterruptedException {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      if (IS_USED.compareAndSet(false, true)) {
        return true;
      }
      Thread.sleep(POLL_MS);
    }
    return false;
  }

  /** Has the VM load what inserted code needs, before any class depends on it. */
  private static void warmUp() {
    Stats stats = new Stats(null, Caller.NONE, null);
    stats.add(0, 1, Stats.THROWN, 0);
    stats.read();
    Caller.find();
    Probes.returned(null);
    Room.isFull();
    Conditions.areEqual(Conditions.threadName(), Conditions.text(0, 0));
  }
}
