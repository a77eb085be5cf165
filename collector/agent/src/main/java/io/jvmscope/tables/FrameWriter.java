package io.jvmscope.tables;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Writes the frames that {@code schema/dump-frames.md} defines: everything little endian, every
 * payload a multiple of 8 bytes. Several threads may write; the frames are sent by a thread of the
 * writer's own, so that filling one frame overlaps with sending the one before.
 */
public final class FrameWriter implements AutoCloseable {
  /** Puts a payload of the announced number of bytes, which need not be padded. */
  public interface Payload {
    void put(ByteBuffer frame);
  }

  /** "JVSCFRM1", read as a little-endian number. */
  public static final long MAGIC = 0x314D_5246_4353_564AL;

  public static final int VERSION = 1;

  public static final int TABLE = 1;
  public static final int BATCH = 2;
  public static final int END_TABLE = 3;
  public static final int PROGRESS = 4;
  public static final int CLASS_FILE = 5;
  public static final int RESULT = 6;
  public static final int ERROR = 7;

  private static final int HEADER_BYTES = 16;
  private static final int BUFFERS = 2;
  private static final int LOOK_MILLIS = 100;

  private final WritableByteChannel out;
  private final BlockingQueue<ByteBuffer> free = new ArrayBlockingQueue<>(BUFFERS);
  private final Lane sending = new Lane("frames", BUFFERS);
  private int tables;

  /** Begins a stream: writes its header. */
  public FrameWriter(WritableByteChannel out) throws IOException {
    this.out = out;
    for (int i = 0; i < BUFFERS; i++) {
      free.add(allocate(1 << 16));
    }
    send(free.remove().putLong(MAGIC).putInt(VERSION).putInt(0));
  }

  private static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Bytes after padding to a multiple of 8. */
  static int padded(int bytes) {
    return bytes + 7 & ~7;
  }

  /** Announces a table, described in JSON; its number. */
  public synchronized int table(String json) throws IOException {
    json(TABLE, tables, json);
    return tables++;
  }

  /** Writes a frame with so many bytes of payload, padded to a multiple of 8. */
  public synchronized void write(int kind, int table, int bytes, Payload payload)
      throws IOException {
    int size = HEADER_BYTES + padded(bytes);
    ByteBuffer frame = takeFree();
    if (frame.capacity() < size) {
      frame = allocate(Math.max(size, 2 * frame.capacity()));
    }
    frame.clear().putInt(kind).putInt(table).putLong(padded(bytes));
    payload.put(frame);
    pad(frame, (byte) 0);
    send(frame);
  }

  /** A buffer; after a failure none may ever come back, so whoever waits looks for one. */
  private ByteBuffer takeFree() throws IOException {
    try {
      ByteBuffer frame = null;
      while (frame == null) {
        sending.check();
        frame = free.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      }
      return frame;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e); // nobody interrupts the threads of a dump
    }
  }

  private void send(ByteBuffer frame) throws IOException {
    frame.flip();
    sending.put(() -> sendNow(frame));
  }

  private void sendNow(ByteBuffer frame) throws IOException {
    try {
      while (frame.hasRemaining()) {
        out.write(frame);
      }
    } finally {
      free.add(frame.clear()); // after a failure too, or whoever waits for it would for ever
    }
  }

  /** Waits until all frames are sent. */
  @Override
  public void close() throws IOException {
    sending.finish();
  }

  /** Puts bytes up to the next multiple of 8. */
  static void pad(ByteBuffer buffer, byte filler) {
    while ((buffer.position() & 7) != 0) {
      buffer.put(filler);
    }
  }

  /** Puts the first of some integers, padded. */
  static void putInts(ByteBuffer buffer, int[] values, int count) {
    buffer.asIntBuffer().put(values, 0, count);
    buffer.position(buffer.position() + 4 * count);
    pad(buffer, (byte) 0);
  }

  /** Sends JSON text, padded with blanks. */
  public void json(int kind, int table, String json) throws IOException {
    byte[] text = json.getBytes(StandardCharsets.UTF_8);
    write(kind, table, text.length, frame -> pad(frame.put(text), (byte) ' '));
  }

  /** Says how much of the work is done. */
  public void progress(long done, long total) throws IOException {
    write(PROGRESS, 0, 16, frame -> frame.putLong(done).putLong(total));
  }

  /** Sends a class file under its path in {@code classes.zip}. */
  public void classFile(String path, byte[] file) throws IOException {
    byte[] name = path.getBytes(StandardCharsets.UTF_8);
    write(
        CLASS_FILE,
        0,
        8 + name.length + file.length,
        frame -> frame.putInt(name.length).putInt(file.length).put(name).put(file));
  }
}
