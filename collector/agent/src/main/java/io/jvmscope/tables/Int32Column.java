package io.jvmscope.tables;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** 32-bit integers; one buffer of 4 bytes a row. */
public final class Int32Column extends Column {
  private int[] values = new int[1024];

  public Int32Column(String name) {
    super(name);
  }

  public void add(int value) {
    if (rows == values.length) {
      values = Arrays.copyOf(values, 2 * rows);
    }
    values[rows++] = value;
  }

  /** Appends an id, null if it is negative. */
  public void addId(int id) {
    if (id < 0) {
      addNull();
    } else {
      add(id);
    }
  }

  @Override
  String type() {
    return "int32";
  }

  @Override
  int valueBytes() {
    return FrameWriter.padded(4 * rows);
  }

  @Override
  void putValues(ByteBuffer frame) {
    FrameWriter.putInts(frame, values, rows);
  }

  @Override
  void addNothing() {
    add(0);
  }
}
