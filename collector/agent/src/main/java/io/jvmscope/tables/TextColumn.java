package io.jvmscope.tables;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Text; a buffer of rows + 1 offsets of 4 bytes, then a buffer of UTF-8. */
public final class TextColumn extends Column {
  private int[] offsets = new int[1025];
  private byte[] text = new byte[1 << 14];
  private int rows;

  public TextColumn(String name) {
    super(name);
  }

  /** Appends a text; null for absent. */
  public void add(String value) {
    addUtf8(value == null ? null : value.getBytes(StandardCharsets.UTF_8));
  }

  /** Appends a text that is encoded already; null for absent. */
  public void addUtf8(byte[] utf8) {
    if (utf8 == null) {
      addNull();
      return;
    }
    int end = offsets[rows] + utf8.length;
    if (end > text.length) {
      text = Arrays.copyOf(text, Math.max(end, 2 * text.length));
    }
    System.arraycopy(utf8, 0, text, offsets[rows], utf8.length);
    endRow(end);
  }

  private void endRow(int end) {
    if (rows + 1 == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * rows + 1);
    }
    offsets[++rows] = end;
  }

  @Override
  String type() {
    return "text";
  }

  @Override
  int rows() {
    return rows;
  }

  @Override
  int valueBytes() {
    return FrameWriter.padded(4 * (rows + 1)) + FrameWriter.padded(offsets[rows]);
  }

  @Override
  void putValues(ByteBuffer frame) {
    frame.asIntBuffer().put(offsets, 0, rows + 1);
    frame.position(frame.position() + 4 * (rows + 1));
    FrameWriter.pad(frame, (byte) 0);
    frame.put(text, 0, offsets[rows]);
    FrameWriter.pad(frame, (byte) 0);
  }

  @Override
  void clearValues() {
    rows = 0;
  }

  @Override
  void addNothing() {
    endRow(offsets[rows]);
  }
}
