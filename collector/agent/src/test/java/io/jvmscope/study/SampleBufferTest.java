package io.jvmscope.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The sequential locks of samples, and the cycle of their buffer. */
final class SampleBufferTest {
  private static final int N_WRITTEN = 2_000_000;
  private static final int N_WRITERS = 3;

  private static SampleBuffer buffer() {
    return new Memory(SampleBuffer.SIZE_BYTES).take();
  }

  private static Set<Long> entries(SampleBuffer buffer) {
    Set<Long> found = new HashSet<>();
    long[] values = new long[SampleBuffer.N_VALUES];
    for (int place = 0; place < SampleBuffer.CAPACITY; place++) {
      if (buffer.read(place, values)) {
        assertTrue(found.add(values[SampleBuffer.ENTRY]));
      }
    }
    return found;
  }

  private static Set<Long> range(long from, long to) {
    Set<Long> range = new HashSet<>();
    for (long k = from; k < to; k++) {
      range.add(k);
    }
    return range;
  }

  @Test
  void keepsTheLastSamples() {
    SampleBuffer buffer = buffer();
    assertEquals(Set.of(), entries(buffer));
    for (long k = 0; k < 3 * SampleBuffer.CAPACITY + 7; k++) {
      buffer.add(1, k);
      long from = Math.max(0, k + 1 - SampleBuffer.CAPACITY);
      if (k % 50 == 0 || k % SampleBuffer.CAPACITY >= SampleBuffer.CAPACITY - 1) {
        assertEquals(range(from, k + 1), entries(buffer));
      }
      assertEquals(k + 1, buffer.nAdded());
    }
  }

  @Test
  void anExitIsTheTimeOfTheCall() {
    SampleBuffer buffer = buffer();
    long before = System.nanoTime();
    buffer.add(7, before);
    long after = System.nanoTime();
    long[] values = new long[SampleBuffer.N_VALUES];
    assertTrue(buffer.read(0, values));
    assertEquals(7, values[SampleBuffer.THREAD]);
    assertTrue(before <= values[SampleBuffer.EXIT] && values[SampleBuffer.EXIT] <= after);
  }

  @Test
  void aPlaceThatIsBeingWrittenIsNotRead() {
    SampleBuffer buffer = buffer();
    buffer.add(1, 5);
    long[] values = new long[SampleBuffer.N_VALUES];
    setGeneration(buffer, 3);
    assertFalse(buffer.read(0, values));
    setGeneration(buffer, 4);
    assertTrue(buffer.read(0, values));
    setGeneration(buffer, 0);
    assertFalse(buffer.read(0, values));
  }

  /** As a writer that stopped in the middle has left it. */
  private static void setGeneration(SampleBuffer buffer, long generation) {
    jdk.internal.misc.Unsafe.getUnsafe().putLong(buffer.address + Long.BYTES, generation);
  }

  @Test
  void sharedWritersLeaveAPlaceToTheOneThatHasIt() {
    SampleBuffer buffer = buffer();
    buffer.addShared(1, 5, 6);
    setGeneration(buffer, 3); // a writer has stopped here
    for (int k = 1; k < SampleBuffer.CAPACITY; k++) {
      buffer.addShared(1, 100 + k, 200);
    }
    buffer.addShared(2, 50, 60); // would go there
    setGeneration(buffer, 4);
    assertTrue(entries(buffer).contains(5L));
    assertFalse(entries(buffer).contains(50L));
    assertEquals(SampleBuffer.CAPACITY + 1, buffer.nAdded());
  }

  /** A reader never sees values of two samples: of each, the thread is the entry's double. */
  @Test
  void aReaderSeesSamplesWholeWhileTheyAreWritten() throws InterruptedException {
    SampleBuffer buffer = buffer();
    Thread writer =
        new Thread(
            () -> {
              for (long k = 1; k <= N_WRITTEN; k++) {
                buffer.add(2 * k, k);
              }
            });
    readWhile(buffer, List.of(writer));
    assertEquals(range(N_WRITTEN - 255, N_WRITTEN + 1), entries(buffer));
  }

  @Test
  void aReaderSeesSharedSamplesWhole() throws InterruptedException {
    SampleBuffer buffer = buffer();
    List<Thread> writers = new ArrayList<>();
    for (int writer = 0; writer < N_WRITERS; writer++) {
      long first = 1L + writer * N_WRITTEN;
      writers.add(
          new Thread(
              () -> {
                for (long k = first; k < first + N_WRITTEN / N_WRITERS; k++) {
                  buffer.addShared(2 * k, k, 3 * k);
                }
              }));
    }
    readWhile(buffer, writers);
    assertEquals((long) N_WRITERS * (N_WRITTEN / N_WRITERS), buffer.nAdded());
  }

  private static void readWhile(SampleBuffer buffer, List<Thread> writers)
      throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (Thread writer : writers) {
      writer.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
      writer.start();
    }
    long[] values = new long[SampleBuffer.N_VALUES];
    long nRead = 0;
    while (writers.stream().anyMatch(Thread::isAlive)) {
      for (int place = 0; place < SampleBuffer.CAPACITY; place++) {
        if (buffer.read(place, values)) {
          nRead++;
          assertEquals(2 * values[SampleBuffer.ENTRY], values[SampleBuffer.THREAD]);
        }
      }
    }
    for (Thread writer : writers) {
      writer.join();
    }
    assertNull(failure.get());
    assertTrue(nRead > 0);
  }

  @Test
  void memoryHasABound() {
    Memory memory = new Memory(2 * SampleBuffer.SIZE_BYTES + 1);
    SampleBuffer first = memory.take();
    assertNotNull(memory.take());
    assertNull(memory.take());
    memory.giveBack(first);
    assertNotNull(memory.take());
    assertNull(memory.take());
  }
}
