package io.jvmscope.probe;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** How many bytes had been allocated when each number had been given; kept in a file. */
final class ByteClock implements Closeable {
  private static final int WINDOW_BITS = 27;

  private final Path path;
  private final int numbers;
  private final MappedByteBuffer[] windows;

  ByteClock(Path path, int numbers) throws IOException {
    this.path = path;
    this.numbers = numbers;
    this.windows = new MappedByteBuffer[(numbers >>> WINDOW_BITS) + 1];
    Files.deleteIfExists(path);
    try (FileChannel file =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      for (int k = 0; k < windows.length; k++) {
        long first = (long) k << WINDOW_BITS;
        long bytes = 8 * Math.min(1L << WINDOW_BITS, numbers + 1L - first);
        windows[k] = file.map(FileChannel.MapMode.READ_WRITE, 8 * first, bytes);
        windows[k].order(ByteOrder.LITTLE_ENDIAN);
      }
    }
  }

  /** The object of a number has so many bytes. */
  void put(int number, long bytes) {
    windows[number >>> WINDOW_BITS].putLong(8 * (number & (1 << WINDOW_BITS) - 1), bytes);
  }

  /** Adds up what was put. */
  void run() {
    long sum = 0;
    for (int number = 1; number <= numbers; number++) {
      sum += at(number);
      put(number, sum);
    }
  }

  /** Bytes allocated, the object of the number included. */
  long at(int number) {
    return windows[number >>> WINDOW_BITS].getLong(8 * (number & (1 << WINDOW_BITS) - 1));
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(path);
  }
}
