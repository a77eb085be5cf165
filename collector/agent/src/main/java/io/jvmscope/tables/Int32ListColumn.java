package io.jvmscope.tables;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Lists of 32-bit integers; a buffer of rows + 1 offsets of 4 bytes, then the members. */
public final class Int32ListColumn extends Column {
  private int[] offsets = new int[1025];
  private int[] members = new int[1024];
  private int rows;

  public Int32ListColumn(String name) {
    super(name);
  }

  public void add(int[] list) {
    int end = offsets[rows] + list.length;
    if (end > members.length) {
      members = Arrays.copyOf(members, Math.max(end, 2 * members.length));
    }
    System.arraycopy(list, 0, members, offsets[rows], list.length);
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
    return "int32[]";
  }

  @Override
  int rows() {
    return rows;
  }

  @Override
  int valueBytes() {
    return FrameWriter.padded(4 * (rows + 1)) + FrameWriter.padded(4 * offsets[rows]);
  }

  @Override
  void putValues(ByteBuffer frame) {
    put(frame, offsets, rows + 1);
    put(frame, members, offsets[rows]);
  }

  private static void put(ByteBuffer frame, int[] values, int count) {
    frame.asIntBuffer().put(values, 0, count);
    frame.position(frame.position() + 4 * count);
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
