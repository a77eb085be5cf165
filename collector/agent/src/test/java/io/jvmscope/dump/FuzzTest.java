package io.jvmscope.dump;

import static jdk.internal.perf.ArenaLayout.FIRST_NODE;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jvmscope.arena.RecordingDamaged;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Arenas with bytes changed at random: the walks end, and fail in no way but those expected. */
final class FuzzTest {
  private static final int ROUNDS = 300;
  private static final int NODES = 400;

  @TempDir Path folder;

  @Test
  @Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void survivesChangedBytes() throws IOException {
    Path whole = folder.resolve("whole");
    SyntheticTrees.build(whole, NODES);
    Path arena = folder.resolve("arena");
    int damaged = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Files.copy(whole, arena, StandardCopyOption.REPLACE_EXISTING);
      change(arena, new SplittableRandom(round));
      try (OutputStream nowhere = OutputStream.nullOutputStream()) {
        SyntheticTrees.dump(arena, Channels.newChannel(nowhere));
      } catch (RecordingDamaged | IndexOutOfBoundsException | ArithmeticException e) {
        damaged++;
      }
    }
    assertTrue(damaged > ROUNDS / 10, damaged + " were found to be damaged");
  }

  private static void change(Path arena, SplittableRandom random) throws IOException {
    try (FileChannel file =
        FileChannel.open(arena, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer used = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      file.read(used, 24);
      int nodeBytes = (int) (used.getLong(0) - FIRST_NODE);
      for (int n = 1 + random.nextInt(8); n > 0; n--) {
        long at = FIRST_NODE + (random.nextInt(nodeBytes) & ~3);
        ByteBuffer link = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
        int target = FIRST_NODE + random.nextInt(nodeBytes);
        link.putInt(0, random.nextBoolean() ? target >> 3 : -random.nextInt(20));
        file.write(link, at);
      }
    }
  }
}
