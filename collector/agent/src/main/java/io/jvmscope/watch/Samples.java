package io.jvmscope.watch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Single invocations of a method, from the thread that measures them to the one that sends them: a
 * queue of parts, each a ring. A queue keeps one part, as statistics keep their histogram; it has
 * more only while more waits than one holds, and these are bounded for all queues together. What
 * finds no room is left out, and the reader sees by the counts how many that are.
 *
 * <p>One thread adds, or several that take turns ({@link Stats}); one other takes.
 */
final class Samples {
  /** A sample: the thread's number, its complement where the invocation threw; begin; end. */
  static final int FIELDS = 3;

  static final int SAMPLE_BYTES = FIELDS * Long.BYTES;

  static final int PART_SAMPLES = 128; // a power of two
  private static final long MOST_BYTES = 48L << 20;
  private static final int SHARE_OF_HEAP = 16;

  /** How many parts all queues have beyond one each. */
  static final int MOST_PARTS =
      (int)
          (Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP)
              / (PART_SAMPLES * SAMPLE_BYTES));

  private static final VarHandle ADDED;
  private static final VarHandle TAKEN;
  private static final VarHandle NEXT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      ADDED = lookup.findVarHandle(Part.class, "added", int.class);
      TAKEN = lookup.findVarHandle(Part.class, "taken", int.class);
      NEXT = lookup.findVarHandle(Part.class, "next", Part.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** How many parts the queues of one set of probes have beyond one each; others count anew. */
  private static volatile AtomicInteger commonParts = new AtomicInteger();

  private final AtomicInteger nParts = commonParts;
  private Part last; // the writer's; null: none yet
  private int takenOfLast; // as far as the writer knows
  private volatile Part first; // the reader's

  /** A ring of samples, to which nothing is added any more once it has a next one. */
  private static final class Part {
    final long[] values = new long[PART_SAMPLES * FIELDS];
    int added; // by the writer, modulo 2^32; written by its handle: what is before does not change
    int taken; // by the reader, likewise: there is room again
    Part next;

    static int place(int number) {
      return (number & PART_SAMPLES - 1) * FIELDS;
    }
  }

  /** Says that queues from now on are about other probes, whose room nothing else takes. */
  static void begin() {
    commonParts = new AtomicInteger();
  }

  /** Adds a sample; returns false if there is no room for it, or none that it may have. */
  boolean add(long thread, long start, long end) {
    Part part = last;
    if (part == null || part.added - takenOfLast == PART_SAMPLES && isFull(part)) {
      part = more(part);
      if (part == null) {
        return false;
      }
    }
    int added = part.added;
    int at = Part.place(added);
    part.values[at] = thread;
    part.values[at + 1] = start;
    part.values[at + 2] = end;
    ADDED.setRelease(part, added + 1);
    return true;
  }

  private boolean isFull(Part part) {
    takenOfLast = (int) TAKEN.getAcquire(part);
    return part.added - takenOfLast == PART_SAMPLES;
  }

  private Part more(Part full) {
    if (full != null && nParts.get() >= MOST_PARTS || Room.isFull()) {
      return null;
    }
    Part part;
    try {
      part = new Part();
    } catch (OutOfMemoryError e) {
      Room.rest();
      return null;
    }
    takenOfLast = 0;
    if (full == null) {
      first = part;
    } else {
      nParts.incrementAndGet();
      NEXT.setRelease(full, part);
    }
    last = part;
    return part;
  }

  /** Whether there may be something to take. */
  boolean hasMore() {
    Part part = first;
    return part != null
        && ((int) ADDED.getAcquire(part) != part.taken || NEXT.getAcquire(part) != null);
  }

  /**
   * Copies the next samples to a buffer until that is full, or there are no more; they stay here
   * until they are dropped.
   *
   * @return how many
   */
  int copy(ByteBuffer to) {
    int n = 0;
    Part part = first;
    while (part != null) {
      Part next = (Part) NEXT.getAcquire(part); // before what was added, which is then all
      int added = (int) ADDED.getAcquire(part);
      for (int number = part.taken; number != added; number++, n++) {
        if (to.remaining() < SAMPLE_BYTES) {
          return n;
        }
        int at = Part.place(number);
        for (int k = 0; k < FIELDS; k++) {
          to.putLong(part.values[at + k]);
        }
      }
      part = next;
    }
    return n;
  }

  /** Forgets the next samples, as many as were copied. */
  void drop(int n) {
    int left = n;
    while (first != null) {
      Part next = (Part) NEXT.getAcquire(first);
      int waiting = (int) ADDED.getAcquire(first) - first.taken;
      int here = Math.min(left, waiting);
      TAKEN.setRelease(first, first.taken + here);
      left -= here;
      if (next == null || here < waiting) {
        return;
      }
      nParts.decrementAndGet();
      first = next;
    }
  }

  /** Gives back the room of a queue to which nothing is added any more. */
  void close() {
    Part part = first;
    while (part != null && (part = (Part) NEXT.getAcquire(part)) != null) {
      nParts.decrementAndGet();
    }
    first = null;
  }
}
