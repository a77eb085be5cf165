package io.jvmscope.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SamplesTest {
  private static final int PARTS = 3; // of each queue, in which all are taken at once

  private final ByteBuffer buffer =
      ByteBuffer.allocate(PARTS * Samples.PART_SAMPLES * Samples.SAMPLE_BYTES);

  @AfterEach
  void forgetTheseQueues() {
    Samples.begin();
  }

  /** GIVEN more queues than parts may wait, THEN none that is emptied in time loses anything. */
  @Test
  void whatIsTakenLeavesRoomForOthers() {
    Samples.begin();
    Samples[] queues = new Samples[Samples.MOST_PARTS + 1];
    for (int n = 1; n <= 2 * Samples.PART_SAMPLES + 1; n += Samples.PART_SAMPLES / 2) {
      for (int k = 0; k < queues.length; k++) {
        queues[k] = queues[k] == null ? new Samples() : queues[k];
        fill(queues[k], n);
        assertEquals(n, taken(queues[k]));
      }
    }
    for (Samples queue : queues) {
      queue.close();
    }
  }

  /** GIVEN a reader that is away, THEN what waits is bounded, and there is room when it is back. */
  @Test
  void whatWaitsIsBounded() {
    Samples.begin();
    Samples[] queues = {new Samples(), new Samples(), new Samples()};
    int n = 0;
    for (Samples queue : queues) {
      while (queue.add(n, n, n)) {
        n++;
      }
    }
    assertEquals((Samples.MOST_PARTS + queues.length) * Samples.PART_SAMPLES, n);

    queues[0].close();
    assertTrue(queues[1].add(n, n, n));
    for (int k = 1; k < queues.length; k++) {
      while (queues[k].hasMore()) {
        n -= taken(queues[k]);
      }
      queues[k].close();
    }
    assertFalse(queues[0].hasMore());

    Samples all = new Samples();
    int again = 0;
    while (all.add(again, again, again)) {
      again++;
    }
    assertEquals((Samples.MOST_PARTS + 1) * Samples.PART_SAMPLES, again);
  }

  /** GIVEN one part's room, THEN samples that are taken in turn never need another part. */
  @Test
  void aQueueThatIsEmptiedInTimeHasOnePart() {
    Samples.begin();
    Samples full = new Samples();
    while (full.add(0, 0, 0)) {
      // takes all the room there is beyond a part of each queue
    }
    Samples queue = new Samples();
    for (int k = 0; k < 1_000; k++) {
      fill(queue, 100);
      assertEquals(100, taken(queue));
    }
    fill(queue, Samples.PART_SAMPLES);
    assertFalse(queue.add(0, 0, 0));
  }

  /** GIVEN a writer beside the reader, THEN each sample is taken once, whole and in order. */
  @Test
  void nothingIsLostBetweenTwoThreads() throws InterruptedException {
    Samples.begin();
    Samples queue = new Samples();
    int n = 2_000_000;
    Thread writer =
        new Thread(
            () -> {
              for (int k = 0; k < n; ) {
                if (queue.add(k, k + 1, k + 2)) {
                  k++;
                }
              }
            });
    writer.start();
    for (long k = 0; k < n; ) {
      int here = taken(queue);
      buffer.flip();
      for (int i = 0; i < here; i++, k++) {
        assertEquals(k, buffer.getLong());
        assertEquals(k + 1, buffer.getLong());
        assertEquals(k + 2, buffer.getLong());
      }
    }
    writer.join();
    assertFalse(queue.hasMore());
  }

  private static void fill(Samples samples, int n) {
    for (int k = 0; k < n; k++) {
      assertTrue(samples.add(k, k, k), "no room");
    }
  }

  private int taken(Samples samples) {
    buffer.clear();
    int n = samples.copy(buffer);
    samples.drop(n);
    return n;
  }
}
