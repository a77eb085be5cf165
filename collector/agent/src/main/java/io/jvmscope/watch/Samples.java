package io.jvmscope.watch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Single invocations of a method, from the thread that measures them to the one that sends them: a
 * queue of parts. All queues together have a bounded number of parts; what finds no room is left
 * out, and the reader sees by the counts how many that are.
 *
 * <p>One thread adds, or several that take turns ({@link Stats}); one other takes.
 */
final class Samples {
  /** A sample: the thread's number, its complement where the invocation threw; begin; end. */
  static final int FIELDS = 3;

  static final int SAMPLE_BYTES = FIELDS * Long.BYTES;

  private static final int PART_SAMPLES = 128;
  private static final long MOST_BYTES = 48L << 20;
  private static final int SHARE_OF_HEAP = 16;
  private static final int MOST_PARTS =
      (int)
          (Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP)
              / (PART_SAMPLES * SAMPLE_BYTES));
  private static final VarHandle END;
  private static final VarHandle NEXT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      END = lookup.findVarHandle(Part.class, "end", int.class);
      NEXT = lookup.findVarHandle(Part.class, "next", Part.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** How many parts the queues of one set of probes have; others have a number of their own. */
  private static volatile AtomicInteger commonParts = new AtomicInteger();

  private final AtomicInteger nParts = commonParts;
  private Part last; // the writer's; null: none yet
  private volatile Part first; // the reader's
  private int taken; // of the first part

  private static final class Part {
    final long[] values = new long[PART_SAMPLES * FIELDS];
    int end; // written by its handle: what is before it does not change
    Part next;
  }

  /** Says that queues from now on are about other probes, whose room nothing else takes. */
  static void begin() {
    commonParts = new AtomicInteger();
  }

  /** Adds a sample; returns false if there is no room for it, or none that it may have. */
  boolean add(long thread, long start, long end) {
    Part part = last;
    if (part == null || part.end == PART_SAMPLES * FIELDS) {
      part = more(part);
      if (part == null) {
        return false;
      }
    }
    int at = part.end;
    part.values[at] = thread;
    part.values[at + 1] = start;
    part.values[at + 2] = end;
    END.setRelease(part, at + FIELDS);
    return true;
  }

  private Part more(Part full) {
    if (nParts.get() >= MOST_PARTS || Room.isFull()) {
      return null;
    }
    Part part;
    try {
      part = new Part();
    } catch (OutOfMemoryError e) {
      Room.rest();
      return null;
    }
    nParts.incrementAndGet();
    if (full == null) {
      first = part;
    } else {
      NEXT.setRelease(full, part);
    }
    last = part;
    return part;
  }

  /** Whether there may be something to take. */
  boolean hasMore() {
    Part part = first;
    return part != null && ((int) END.getAcquire(part) > taken || NEXT.getAcquire(part) != null);
  }

  /**
   * Copies the next samples to a buffer until that is full, or there are no more; they stay here
   * until they are dropped.
   *
   * @return how many
   */
  int copy(ByteBuffer to) {
    int n = 0;
    int at = taken;
    for (Part part = first; part != null; part = (Part) NEXT.getAcquire(part)) {
      int end = (int) END.getAcquire(part);
      for (; at < end && to.remaining() >= SAMPLE_BYTES; n++) {
        for (int k = 0; k < FIELDS; k++) {
          to.putLong(part.values[at++]);
        }
      }
      if (at < PART_SAMPLES * FIELDS) { // the buffer is full, or the writer is here
        return n;
      }
      at = 0;
    }
    return n;
  }

  /** Forgets the next samples, as many as were copied. */
  void drop(int n) {
    int left = n * FIELDS;
    while (first != null) {
      int here = Math.min(left, PART_SAMPLES * FIELDS - taken);
      taken += here;
      left -= here;
      Part next = (Part) NEXT.getAcquire(first);
      if (next == null || taken < PART_SAMPLES * FIELDS) {
        return;
      }
      nParts.decrementAndGet();
      first = next;
      taken = 0;
    }
  }

  /** Gives back the room of a queue to which nothing is added any more. */
  void close() {
    for (Part part = first; part != null; part = (Part) NEXT.getAcquire(part)) {
      nParts.decrementAndGet();
    }
    first = null;
  }
}
