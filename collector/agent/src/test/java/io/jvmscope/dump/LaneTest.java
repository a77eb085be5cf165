package io.jvmscope.dump;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jvmscope.arena.RecordingDamaged;
import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Lane;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LaneTest {
  @Test
  void worksInOrderBesideItsCaller() throws IOException {
    List<Integer> done = new ArrayList<>();
    try (Lane lane = new Lane("test", 2)) {
      for (int i = 0; i < 100; i++) {
        int number = i;
        lane.put(() -> done.add(number));
      }
      lane.finish();
    }
    assertEquals(IntStream.range(0, 100).boxed().toList(), done);
  }

  @Test
  void throwsWhatWorkThrewAndDoesNoMore() throws IOException {
    RecordingDamaged thrown = new RecordingDamaged("of work");
    List<String> done = new ArrayList<>();
    try (Lane lane = new Lane("test", 4)) {
      lane.put(
          () -> {
            throw thrown;
          });
      // Thrown once: where work is put if the other was done by then, else at the end.
      RecordingDamaged caught =
          assertThrows(
              RecordingDamaged.class,
              () -> {
                lane.put(() -> done.add("after"));
                lane.finish();
              });
      assertSame(thrown, caught);
    }
    assertEquals(List.of(), done);
  }

  @Test
  void leavesUndoneWhatWaitsWhenItIsClosed() throws IOException, InterruptedException {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch closing = new CountDownLatch(1);
    List<String> done = new ArrayList<>();
    Lane lane = new Lane("test", 4);
    lane.put(
        () -> {
          started.countDown();
          try {
            closing.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        });
    lane.put(() -> done.add("waiting"));
    started.await();
    Thread opener = new Thread(closing::countDown);
    lane.abandon();
    opener.start();
    lane.close();
    assertEquals(List.of(), done);
  }

  @Test
  void writerOfFramesFailsAndDoesNotHangWhenNobodyReads() {
    WritableByteChannel broken =
        new WritableByteChannel() {
          @Override
          public int write(ByteBuffer source) throws IOException {
            throw new IOException("nobody reads");
          }

          @Override
          public boolean isOpen() {
            return true;
          }

          @Override
          public void close() {}
        };
    IOException thrown =
        assertThrows(
            IOException.class,
            () -> {
              try (FrameWriter out = new FrameWriter(broken)) {
                for (int i = 0; i < 10; i++) {
                  out.progress(i, 10);
                }
              }
            });
    assertEquals("nobody reads", thrown.getMessage());
  }
}
