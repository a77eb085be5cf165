package io.jvmscope.watch;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The states of platform threads, by their threads. Workers of the common pool forget what is local
 * to a thread whenever they have done a task or have no more to do, and find their state here.
 *
 * <p>Any thread adds and looks up; one at a time forgets.
 */
final class ThreadTable {
  private static final int BUCKETS = 1 << 10;

  private final AtomicReferenceArray<Entry> buckets = new AtomicReferenceArray<>(BUCKETS);

  private static final class Entry {
    final WeakReference<Thread> thread;
    final ThreadState state;
    volatile Entry next;

    Entry(Thread thread, ThreadState state) {
      this.thread = new WeakReference<>(thread);
      this.state = state;
    }

    boolean isOver() {
      Thread owner = thread.get();
      return owner == null || !owner.isAlive();
    }
  }

  private static int bucket(long number) {
    return (int) (number & BUCKETS - 1);
  }

  /** The state of a thread that has a number; null: it has none yet. */
  ThreadState get(Thread thread, long number) {
    Entry each = buckets.get(bucket(number));
    while (each != null && each.thread.get() != thread) {
      each = each.next;
    }
    return each == null ? null : each.state;
  }

  /** Adds the state of a thread that has none here. */
  void add(Thread thread, ThreadState state) {
    Entry added = new Entry(thread, state);
    int bucket = bucket(state.id);
    do {
      added.next = buckets.get(bucket);
    } while (!buckets.compareAndSet(bucket, added.next, added));
  }

  /** Forgets threads that have ended. */
  synchronized void forgetEnded() {
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      Entry before = null;
      Entry each = buckets.get(bucket);
      while (each != null) {
        Entry next = each.next;
        if (!each.isOver()) {
          before = each;
        } else if (before != null) {
          before.next = next;
        } else if (!buckets.compareAndSet(bucket, each, next)) {
          before = each; // others were added before it: next time
        }
        each = next;
      }
    }
  }

  /** Has all threads forget the methods that had probes. */
  synchronized void forgetMethods() {
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      for (Entry each = buckets.get(bucket); each != null; each = each.next) {
        each.state.forgetMethodsHere();
      }
    }
  }
}
