package io.jvmscope.watch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;

/**
 * Durations of invocations: total, least, most and a histogram, for each way to end.
 *
 * <p>One thread writes, or several that take turns (virtual threads); another one reads meanwhile.
 * The version is odd while values change, so a reader sees all values of an invocation or none.
 */
final class Stats {
  /** Ways in which an invocation ends. */
  static final int RETURNED = 0;

  static final int THROWN = 1;
  static final int N_EXITS = 2;

  /** Places of the values in their array; what follows are the counts of the histogram. */
  static final int TOTAL = 0;

  static final int LEAST = 1;
  static final int MOST = 2;

  /** How many invocations are in {@link #samples}. */
  static final int SAMPLED = 3;

  static final int BUCKETS = 4;

  /** Each power of two is divided into as many equal buckets. */
  static final int PARTS = 8;

  private static final int LOG_PARTS = 3;
  private static final int N_BUCKETS = (Long.SIZE - 1 - LOG_PARTS + 1) * PARTS;
  private static final int MOST_ATTEMPTS = 1_000;
  private static final VarHandle VERSION;

  static {
    try {
      VERSION = MethodHandles.lookup().findVarHandle(Stats.class, "version", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final ProbedMethod method;
  final Caller caller;

  /** Each invocation; null: they are only counted. */
  final Samples samples;

  /** The stack of statistics that the reader has not seen yet. */
  Stats next;

  private final WeakReference<Thread> owner; // null: virtual threads share them
  private final long[][] values = new long[N_EXITS][];

  private int version; // changed by its handle, too

  Stats(ProbedMethod method, Caller caller, WeakReference<Thread> owner) {
    this.method = method;
    this.caller = caller;
    this.owner = owner;
    values[RETURNED] = none();
    samples = method != null && method.probe.hasSamples() ? new Samples() : null;
  }

  /** The values of no invocations. */
  static long[] none() {
    long[] values = new long[BUCKETS + N_BUCKETS];
    values[LEAST] = Long.MAX_VALUE;
    return values;
  }

  /** The bucket of a duration; the first ones have one nanosecond each. */
  static int bucket(long ns) {
    if (ns < PARTS) {
      return (int) Math.max(0, ns);
    }
    int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(ns);
    return (power - LOG_PARTS + 1) * PARTS + (int) (ns >>> (power - LOG_PARTS) & (PARTS - 1));
  }

  /** Counts an invocation; nothing of it if the stack or the heap has no room. */
  void add(long start, long end, int exit, long thread) {
    if (owner == null) {
      addShared(start, end, exit, thread);
      return;
    }
    int even = version;
    version = even + 1;
    try {
      VarHandle.storeStoreFence();
      change(start, end, exit, thread);
      VERSION.setRelease(this, even + 2);
    } catch (VirtualMachineError e) {
      version = even + 2;
      Probes.nLost++;
      if (e instanceof OutOfMemoryError) {
        Room.rest();
      }
    }
  }

  private void addShared(long start, long end, int exit, long thread) {
    while (true) {
      int even = (int) VERSION.getAcquire(this) & ~1;
      if (VERSION.compareAndSet(this, even, even + 1)) {
        try {
          change(start, end, exit, thread);
          VERSION.setRelease(this, even + 2);
        } catch (VirtualMachineError e) {
          version = even + 2; // without a call, or the others would wait for ever
          Probes.nLost++;
          if (e instanceof OutOfMemoryError) {
            Room.rest();
          }
        }
        return;
      }
      Thread.onSpinWait();
    }
  }

  /** Changes values once nothing more is called, so that there is room for all changes or none. */
  private void change(long start, long end, int exit, long thread) {
    long ns = end - start;
    int bucket = bucket(ns);
    long[] changed = values[exit];
    if (changed == null) {
      changed = none();
      values[exit] = changed;
    }
    boolean isSampled =
        samples != null && samples.add(exit == RETURNED ? thread : ~thread, start, end);
    changed[TOTAL] += ns;
    if (ns < changed[LEAST]) {
      changed[LEAST] = ns;
    }
    if (ns > changed[MOST]) {
      changed[MOST] = ns;
    }
    changed[BUCKETS + bucket]++;
    if (isSampled) {
      changed[SAMPLED]++;
    }
  }

  /** Whether no thread writes here any more. */
  boolean isOver() {
    if (owner == null) {
      return false;
    }
    Thread thread = owner.get();
    return thread == null || !thread.isAlive();
  }

  /** The values of all invocations that have ended; null if they kept changing. */
  long[][] read() {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      int before = (int) VERSION.getAcquire(this);
      if ((before & 1) == 0) {
        long[][] copy = new long[N_EXITS][];
        for (int exit = 0; exit < N_EXITS; exit++) {
          long[] changing = values[exit];
          copy[exit] = changing == null ? null : changing.clone();
        }
        VarHandle.acquireFence();
        if ((int) VERSION.getOpaque(this) == before) {
          return copy;
        }
      }
      Thread.yield();
    }
    return null;
  }
}
