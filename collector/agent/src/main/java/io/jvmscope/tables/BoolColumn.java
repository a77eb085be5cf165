package io.jvmscope.tables;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Truth values; one buffer of 1 bit a row, least significant bit first. */
public final class BoolColumn extends Column {
  private byte[] bits = new byte[1024]; // zero from the current row on

  public BoolColumn(String name) {
    super(name);
  }

  public void add(boolean value) {
    int at = rows >> 3;
    if (at == bits.length) {
      bits = Arrays.copyOf(bits, 2 * at);
    }
    if (value) {
      bits[at] |= (byte) (1 << (rows & 7));
    }
    rows++;
  }

  @Override
  String type() {
    return "bool";
  }

  @Override
  int valueBytes() {
    return FrameWriter.padded(rows + 7 >> 3);
  }

  @Override
  void putValues(ByteBuffer frame) {
    frame.put(bits, 0, rows + 7 >> 3);
    FrameWriter.pad(frame, (byte) 0);
  }

  @Override
  void clearValues() {
    Arrays.fill(bits, 0, rows + 7 >> 3, (byte) 0);
  }

  @Override
  void addNothing() {
    add(false);
  }
}
