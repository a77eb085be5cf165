package io.jvmscope.probe;

import static jdk.internal.perf.LifetimeLayout.CHUNK;
import static jdk.internal.perf.LifetimeLayout.CLOCK;
import static jdk.internal.perf.LifetimeLayout.DISK;
import static jdk.internal.perf.LifetimeLayout.FIRST_FRAME;
import static jdk.internal.perf.LifetimeLayout.FRAMES;
import static jdk.internal.perf.LifetimeLayout.FRAME_HEAD;
import static jdk.internal.perf.LifetimeLayout.LOG_TOP;
import static jdk.internal.perf.LifetimeLayout.LOST;
import static jdk.internal.perf.LifetimeLayout.MAGIC;
import static jdk.internal.perf.LifetimeLayout.PACKED;
import static jdk.internal.perf.LifetimeLayout.PACKED_LOG;
import static jdk.internal.perf.LifetimeLayout.PACKED_SHIFT;
import static jdk.internal.perf.LifetimeLayout.RECORD;
import static jdk.internal.perf.LifetimeLayout.RING;
import static jdk.internal.perf.LifetimeLayout.RING_BYTES;
import static jdk.internal.perf.LifetimeLayout.STAMPS;
import static jdk.internal.perf.LifetimeLayout.STRETCH;
import static jdk.internal.perf.LifetimeLayout.STRETCHES;
import static jdk.internal.perf.LifetimeLayout.STRETCH_TOP;

import io.jvmscope.arena.RecordingDamaged;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.IntConsumer;

/** Reads what {@code LifetimeLog} and {@code FrameRoots} have written. */
final class LifetimeFile implements Closeable {
  private static final int WINDOW_BITS = 27; // of stamps, each of 8 bytes

  /** Takes the records of the log. */
  interface Records {
    /** A record: its context, its kind, and what the layout says. */
    void record(int context, int kind, int lower, int third, int fourth) throws IOException;
  }

  private final FileChannel file;
  private final MappedByteBuffer[] stamps;
  private final int clock;
  private final int lost;
  private final int stretches;
  private final long logBytes; // that were given out
  private final long chunks; // of them packed
  private final long packedBytes;
  private final long diskBytes;

  LifetimeFile(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      throw new RecordingDamaged(path + ": no such file; the VM ended before recording began");
    }
    file = FileChannel.open(path, StandardOpenOption.READ);
    ByteBuffer header = read(0L, 64);
    if (header.getLong(0) != MAGIC) {
      throw new RecordingDamaged(path + ": is not whole; the VM ended before recording began");
    }
    clock = header.getInt(CLOCK);
    lost = header.getInt(LOST);
    stretches = header.getInt(STRETCHES);
    logBytes = header.getLong(LOG_TOP);
    chunks = header.getLong(PACKED) >>> PACKED_SHIFT;
    packedBytes = header.getLong(PACKED) & (1L << PACKED_SHIFT) - 1;
    diskBytes = header.getLong(DISK);
    stamps = new MappedByteBuffer[(clock >>> WINDOW_BITS) + 1];
    for (int k = 0; k < stamps.length; k++) {
      long first = (long) k << WINDOW_BITS;
      long bytes = 8 * Math.min(1L << WINDOW_BITS, clock + 1L - first);
      stamps[k] = file.map(FileChannel.MapMode.READ_ONLY, STAMPS + 8 * first, bytes);
      stamps[k].order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  private ByteBuffer read(long at, int bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining() && file.read(buffer, at + buffer.position()) >= 0) {
      continue;
    }
    return buffer.flip();
  }

  /** The last number that an object has. */
  int clock() {
    return clock;
  }

  /** Did frames or objects find no room? */
  boolean isIncomplete() {
    return lost != 0;
  }

  /** When a root referred to an object last, and below its context; 0: never. */
  long stamp(int number) {
    return stamps[number >>> WINDOW_BITS].getLong(8 * (number & (1 << WINDOW_BITS) - 1));
  }

  /** Reads the log, up to the first record that is not whole; returns the number of records. */
  long readLog(Records records) throws IOException {
    LogUnpacker unpacker = new LogUnpacker(records);
    long end = PACKED_LOG + packedBytes;
    long at = PACKED_LOG;
    for (long chunk = 0; chunk < chunks; chunk++) {
      ByteBuffer buffer = read(at, (int) Math.min(LogUnpacker.MOST_BYTES, end - at));
      at += unpacker.unpack(buffer);
    }
    long count = chunks * (CHUNK / RECORD);
    for (long place = chunks * CHUNK; place < logBytes; place += CHUNK) {
      int bytes = (int) Math.min(CHUNK, logBytes - place);
      int whole = LogUnpacker.readPlain(read(RING + place % RING_BYTES, bytes), records);
      count += whole;
      if (whole * RECORD < bytes) {
        break;
      }
    }
    return count;
  }

  /** Bytes of the packed chunks, and of what is left in the ring. */
  long logBytes() {
    return packedBytes + logBytes - chunks * CHUNK;
  }

  /** Bytes on the disk that the file has taken. */
  long diskBytes() {
    return diskBytes;
  }

  /** The objects that frames referred to when the VM ended. */
  void readFrames(IntConsumer numbers) throws IOException {
    for (int k = 0; k < stretches; k++) {
      long start = FRAMES + STRETCH * k;
      int top = (int) read(start + STRETCH_TOP, 8).getLong(0);
      ByteBuffer stretch = read(start, top);
      for (int frame = FIRST_FRAME; frame < top; ) {
        int bytes = stretch.getInt(frame + 4) & 0xFFFF;
        if (bytes < FRAME_HEAD) {
          throw new RecordingDamaged("lifetimes: a frame at " + (start + frame) + " is not whole");
        }
        for (int at = frame + FRAME_HEAD; at < frame + bytes; at += 4) {
          numbers.accept(stretch.getInt(at));
        }
        frame += bytes;
      }
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
