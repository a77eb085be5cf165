package io.jvmscope.watch;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

/** The outermost invocation of one method in one thread, while there is one. */
public final class Activation {
  final ProbedMethod method;

  /** Where the current invocation is counted. */
  Stats stats;

  long start;
  boolean isActive;

  private final ThreadState thread;
  private Map<Caller, Stats> byCaller; // null: none was asked for

  Activation(ProbedMethod method, ThreadState thread) {
    this.method = method;
    this.thread = thread;
  }

  Stats statsOf(Caller caller, WeakReference<Thread> owner) {
    if (byCaller == null) {
      byCaller = new HashMap<>();
    }
    Stats known = byCaller.get(caller);
    if (known == null) {
      known = method.stats(caller, owner);
      byCaller.put(caller, known);
    }
    return known;
  }

  void end(int exit) {
    isActive = false; // first: a call may find no room on the stack
    try {
      long now = System.nanoTime();
      thread.isBusy = true; // what counts may call methods with probes
      stats.add(start, now, exit, thread.id);
    } catch (VirtualMachineError e) {
      Probes.nLost++;
    }
    thread.isBusy = false;
  }
}
