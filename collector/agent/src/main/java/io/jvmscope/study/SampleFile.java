package io.jvmscope.study;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes samples of a time: method, thread, entry and exit of each, as little-endian longs. */
final class SampleFile implements AutoCloseable {
  private static final int BYTES = (1 + SampleBuffer.N_VALUES) * Long.BYTES;
  private static final int N_BUFFERED = 4096;

  private final FileChannel channel;
  private final long from;
  private final ByteBuffer buffer =
      ByteBuffer.allocate(N_BUFFERED * BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private IOException failure; // null: none

  /**
   * Opens a file.
   *
   * @param from the earliest entry of a sample that is written
   */
  SampleFile(Path path, long from) throws IOException {
    channel = FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    this.from = from;
  }

  void write(int method, long[] values) {
    if (values[SampleBuffer.ENTRY] - from < 0) {
      return;
    }
    buffer.putLong(method);
    for (long value : values) {
      buffer.putLong(value);
    }
    if (!buffer.hasRemaining()) {
      flush();
    }
  }

  private void flush() {
    buffer.flip();
    try {
      while (failure == null && buffer.hasRemaining()) {
        channel.write(buffer);
      }
    } catch (IOException e) {
      failure = e;
    }
    buffer.clear();
  }

  @Override
  public void close() throws IOException {
    flush();
    channel.close();
    if (failure != null) {
      throw failure;
    }
  }
}
