package io.jvmscope.dump;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;

/**
 * Writes the frames that {@code schema/dump-frames.md} defines: everything little endian, every
 * payload a multiple of 8 bytes.
 *
 * <p>Invariant: between {@link #begin} and {@link #end} exactly the announced bytes are put.
 */
final class FrameWriter {
  /** "JVSCFRM1", read as a little-endian number. */
  static final long MAGIC = 0x314D_5246_4353_564AL;

  static final int VERSION = 1;

  static final int TABLE = 1;
  static final int BATCH = 2;
  static final int END_TABLE = 3;
  static final int PROGRESS = 4;
  static final int CLASS_FILE = 5;
  static final int RESULT = 6;
  static final int ERROR = 7;

  private static final int HEADER_BYTES = 16;

  private final WritableByteChannel out;
  private ByteBuffer buffer = allocate(1 << 16);
  private int tables;

  /** Begins a stream: writes its header. */
  FrameWriter(WritableByteChannel out) throws IOException {
    this.out = out;
    buffer.putLong(MAGIC).putInt(VERSION).putInt(0);
    send();
  }

  private static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Bytes after padding to a multiple of 8. */
  static int padded(int bytes) {
    return bytes + 7 & ~7;
  }

  /** The number for a new table. */
  int newTable() {
    return tables++;
  }

  /** Begins a frame; the caller puts {@code bytes} bytes of payload, padded by {@link #end}. */
  ByteBuffer begin(int kind, int table, int bytes) {
    int size = HEADER_BYTES + padded(bytes);
    if (buffer.capacity() < size) {
      buffer = allocate(Math.max(size, 2 * buffer.capacity()));
    }
    buffer.clear();
    return buffer.putInt(kind).putInt(table).putLong(padded(bytes));
  }

  /** Ends the frame and sends it. */
  void end() throws IOException {
    pad(buffer, (byte) 0);
    send();
  }

  /** Puts bytes up to the next multiple of 8. */
  static void pad(ByteBuffer buffer, byte filler) {
    while ((buffer.position() & 7) != 0) {
      buffer.put(filler);
    }
  }

  private void send() throws IOException {
    buffer.flip();
    while (buffer.hasRemaining()) {
      out.write(buffer);
    }
    buffer.clear();
  }

  /** Sends JSON text, padded with blanks. */
  void json(int kind, int table, String json) throws IOException {
    byte[] text = json.getBytes(StandardCharsets.UTF_8);
    ByteBuffer frame = begin(kind, table, text.length).put(text);
    pad(frame, (byte) ' ');
    end();
  }

  /** Says how much of the work is done. */
  void progress(long done, long total) throws IOException {
    begin(PROGRESS, 0, 16).putLong(done).putLong(total);
    end();
  }

  /** Sends a class file under its path in {@code classes.zip}. */
  void classFile(String path, byte[] file) throws IOException {
    byte[] name = path.getBytes(StandardCharsets.UTF_8);
    begin(CLASS_FILE, 0, 8 + name.length + file.length)
        .putInt(name.length)
        .putInt(file.length)
        .put(name)
        .put(file);
    end();
  }
}
