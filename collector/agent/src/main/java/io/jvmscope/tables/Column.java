package io.jvmscope.tables;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A column of the batch that is being filled. Values are appended in row order; a column with nulls
 * has a validity bitmap, least significant bit first, 1 for present, as in Arrow.
 */
public abstract class Column {
  private final String name;
  private byte[] validity; // null as long as no row of the batch is null
  private int nulls;

  /** Rows of the batch so far; whoever appends a value counts it here. */
  int rows;

  public Column(String name) {
    this.name = name;
  }

  public final String name() {
    return name;
  }

  /** The type's name in the TABLE frame. */
  abstract String type();

  /** Bytes of the values' buffers, each padded. */
  abstract int valueBytes();

  /** Puts the values' buffers, each padded. */
  abstract void putValues(ByteBuffer frame);

  /** Empties the values for the next batch; {@link #rows} still counts them. */
  void clearValues() {}

  /** Appends the value that stands below a null. */
  abstract void addNothing();

  /** Appends a null. */
  public final void addNull() {
    int at = rows >> 3;
    if (validity == null) {
      validity = filled(at + 1024);
    } else if (at >= validity.length) {
      int known = validity.length;
      validity = Arrays.copyOf(validity, 2 * at);
      Arrays.fill(validity, known, validity.length, (byte) 0xFF);
    }
    validity[at] &= (byte) ~(1 << (rows & 7));
    nulls++;
    addNothing();
  }

  private static byte[] filled(int bytes) {
    byte[] bits = new byte[bytes];
    Arrays.fill(bits, (byte) 0xFF);
    return bits;
  }

  /** Nulls among the rows. */
  final int nulls() {
    return nulls;
  }

  /** Bytes of all buffers, each padded. */
  final int bytes() {
    return validityBytes() + valueBytes();
  }

  private int validityBytes() {
    return nulls == 0 ? 0 : FrameWriter.padded(rows + 7 >> 3);
  }

  /** Puts all buffers, each padded. */
  final void put(ByteBuffer frame) {
    if (nulls > 0) {
      int bytes = rows + 7 >> 3;
      int known = Math.min(bytes, validity.length);
      frame.put(validity, 0, known);
      for (int i = known; i < bytes; i++) {
        frame.put((byte) 0xFF);
      }
      FrameWriter.pad(frame, (byte) 0);
    }
    putValues(frame);
  }

  /** Empties the column for the next batch. */
  final void clear() {
    if (nulls > 0) {
      Arrays.fill(validity, (byte) 0xFF);
      nulls = 0;
    }
    clearValues();
    rows = 0;
  }
}
