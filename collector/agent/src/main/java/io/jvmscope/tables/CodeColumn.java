package io.jvmscope.tables;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Words of a closed set, by their number in it; one buffer of 1 byte a row. */
public final class CodeColumn extends Column {
  private final List<String> words;
  private byte[] codes = new byte[1024];

  /** At most 256 words; the TABLE frame lists them. */
  public CodeColumn(String name, List<String> words) {
    super(name);
    this.words = words;
  }

  List<String> words() {
    return words;
  }

  public void add(int code) {
    if (rows == codes.length) {
      codes = Arrays.copyOf(codes, 2 * rows);
    }
    codes[rows++] = (byte) code;
  }

  @Override
  String type() {
    return "code";
  }

  @Override
  int valueBytes() {
    return FrameWriter.padded(rows);
  }

  @Override
  void putValues(ByteBuffer frame) {
    frame.put(codes, 0, rows);
    FrameWriter.pad(frame, (byte) 0);
  }

  @Override
  void addNothing() {
    add(0);
  }
}
