package io.jvmscope.watch;

import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/** A method with a probe in it. */
final class ProbedMethod {
  /** As many callers of a method are kept apart. */
  static final int MOST_CALLERS = 1_000;

  /** Virtual threads share as many statistics of a method and a caller. */
  private static final int STRIPES = 16;

  /** Statistics that the reader has not seen yet, the newest first. */
  private static final AtomicReference<Stats> FRESH = new AtomicReference<>();

  /** Its number in the inserted code. */
  final int number;

  /** Its number for the watcher, which no other method gets. */
  final int id;

  final Probe probe;
  final boolean hasCallers;

  /** Whether the watcher knows of it. */
  boolean isTold;

  private final ConcurrentHashMap<Caller, Caller> callers = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Caller, Stats[]> shared = new ConcurrentHashMap<>();

  ProbedMethod(int number, int id, Probe probe) {
    this.number = number;
    this.id = id;
    this.probe = probe;
    this.hasCallers = probe.hasCallers();
  }

  /** A caller, if it is one of those that are kept apart. */
  Caller knownCaller(Caller caller) {
    if (callers.size() < MOST_CALLERS) {
      callers.putIfAbsent(caller, caller);
    }
    return callers.getOrDefault(caller, Caller.OTHERS);
  }

  /** New statistics of a thread, or those that a virtual thread, which has no owner, shares. */
  Stats stats(Caller caller, WeakReference<Thread> owner) {
    if (owner != null) {
      return fresh(new Stats(this, caller, owner));
    }
    Stats[] stripes = shared.get(caller);
    if (stripes == null) {
      Stats[] made = new Stats[STRIPES];
      for (int k = 0; k < STRIPES; k++) {
        made[k] = fresh(new Stats(this, caller, null)); // known to the reader before it is used
      }
      stripes = shared.putIfAbsent(caller, made);
      if (stripes == null) {
        stripes = made;
      }
    }
    return stripes[Thread.currentThread().hashCode() & (STRIPES - 1)]; // its number
  }

  private static Stats fresh(Stats stats) {
    do {
      stats.next = FRESH.get();
    } while (!FRESH.compareAndSet(stats.next, stats));
    return stats;
  }

  /** The statistics that were made since this was last asked; a stack by their {@code next}. */
  static Stats takeFresh() {
    return FRESH.getAndSet(null);
  }
}
