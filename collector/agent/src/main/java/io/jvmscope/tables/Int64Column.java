package io.jvmscope.tables;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** 64-bit integers; one buffer of 8 bytes a row. */
public final class Int64Column extends Column {
  private long[] values = new long[1024];

  public Int64Column(String name) {
    super(name);
  }

  public void add(long value) {
    if (rows == values.length) {
      values = Arrays.copyOf(values, 2 * rows);
    }
    values[rows++] = value;
  }

  /** Appends a number, null if it is negative. */
  public void addOrNull(long value) {
    if (value < 0) {
      addNull();
    } else {
      add(value);
    }
  }

  @Override
  String type() {
    return "int64";
  }

  @Override
  int valueBytes() {
    return 8 * rows;
  }

  @Override
  void putValues(ByteBuffer frame) {
    frame.asLongBuffer().put(values, 0, rows);
    frame.position(frame.position() + 8 * rows);
  }

  @Override
  void addNothing() {
    add(0);
  }
}
