package io.jvmscope.study;

import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/**
 * The buffers of all threads. A platform thread has one for each method that it calls; virtual
 * threads, of which there may be millions, share one for each method; so do threads that have
 * ended, whose own ones are used again.
 */
final class Buffers {
  /** The platform threads that have buffers. */
  static final Queue<ThreadState> THREADS = new ConcurrentLinkedQueue<>();

  /** For how many methods in a thread there was no memory. */
  static final AtomicLong N_UNMEASURED = new AtomicLong();

  private static final ConcurrentHashMap<Integer, SampleBuffer> SHARED = new ConcurrentHashMap<>();
  private static final ConcurrentHashMap<Integer, SampleBuffer> ENDED = new ConcurrentHashMap<>();
  private static final ConcurrentHashMap<Integer, Long> ENDED_CALLS = new ConcurrentHashMap<>();

  private static volatile Memory memory = new Memory(0);

  private Buffers() {}

  /** What a reader does with a sample: its method, and values as in {@link SampleBuffer}. */
  interface Taker {
    void take(int method, long[] values);
  }

  static void allow(Memory found) {
    memory = found;
  }

  static SampleBuffer take() {
    SampleBuffer buffer = memory.take();
    if (buffer == null) {
      N_UNMEASURED.incrementAndGet();
    }
    return buffer;
  }

  static SampleBuffer shared(int method) {
    return SHARED.computeIfAbsent(method, number -> take());
  }

  /** How many invocations of each method have ended. */
  static synchronized long[] calls(int nMethods) {
    long[] calls = new long[nMethods];
    ENDED_CALLS.forEach((method, n) -> count(calls, method, n));
    SHARED.forEach((method, buffer) -> count(calls, method, buffer.nAdded()));
    forEachOfThreads((method, buffer) -> count(calls, method, buffer.nAdded()));
    return calls;
  }

  /** Counts for methods that were known when counting began. */
  private static void count(long[] calls, int method, long n) {
    if (method < calls.length) {
      calls[method] += n;
    }
  }

  /** Reads every sample that is kept of some methods. */
  static synchronized void read(boolean[] wanted, Taker taker) {
    long[] values = new long[SampleBuffer.N_VALUES];
    BiConsumer<Integer, SampleBuffer> reader =
        (method, buffer) -> read(method, buffer, wanted, values, taker);
    SHARED.forEach(reader);
    ENDED.forEach(reader);
    forEachOfThreads(reader);
  }

  private static void forEachOfThreads(BiConsumer<Integer, SampleBuffer> consumer) {
    for (ThreadState thread : THREADS) {
      MethodState[] methods = thread.methods;
      for (int method = 0; method < methods.length; method++) {
        if (methods[method] != null && methods[method].buffer != null) {
          consumer.accept(method, methods[method].buffer);
        }
      }
    }
  }

  private static void read(
      int method, SampleBuffer buffer, boolean[] wanted, long[] values, Taker taker) {
    if (method >= wanted.length || !wanted[method]) {
      return;
    }
    for (int place = 0; place < SampleBuffer.CAPACITY; place++) {
      if (buffer.read(place, values)) {
        taker.take(method, values);
      }
    }
  }

  /** Takes over the samples of threads that have ended, and gives back their memory. */
  static synchronized void sweep() {
    for (Iterator<ThreadState> each = THREADS.iterator(); each.hasNext(); ) {
      ThreadState thread = each.next();
      if (thread.isOver()) {
        each.remove();
        MethodState[] methods = thread.methods;
        for (int method = 0; method < methods.length; method++) {
          if (methods[method] != null && methods[method].buffer != null) {
            takeOver(method, methods[method].buffer);
          }
        }
      }
    }
  }

  private static void takeOver(int method, SampleBuffer buffer) {
    ENDED_CALLS.merge(method, buffer.nAdded(), Long::sum);
    SampleBuffer kept = ENDED.computeIfAbsent(method, number -> take());
    if (kept != null) {
      long[] values = new long[SampleBuffer.N_VALUES];
      long first = Math.max(0, buffer.nAdded() - SampleBuffer.CAPACITY);
      for (long number = first; number < buffer.nAdded(); number++) {
        if (buffer.read((int) (number % SampleBuffer.CAPACITY), values)) {
          kept.addShared(
              values[SampleBuffer.THREAD], values[SampleBuffer.ENTRY], values[SampleBuffer.EXIT]);
        }
      }
    }
    memory.giveBack(buffer);
  }
}
