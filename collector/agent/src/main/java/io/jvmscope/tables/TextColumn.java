package io.jvmscope.tables;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Text; the members of a row are its bytes in UTF-8. */
public final class TextColumn extends ListColumn {
  private byte[] text = new byte[1 << 14];

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
    int start = members();
    int end = start + utf8.length;
    if (end > text.length) {
      text = Arrays.copyOf(text, Math.max(end, 2 * text.length));
    }
    System.arraycopy(utf8, 0, text, start, utf8.length);
    endRow(end);
  }

  @Override
  String type() {
    return "text";
  }

  @Override
  int memberBytes() {
    return 1;
  }

  @Override
  void putMembers(ByteBuffer frame) {
    frame.put(text, 0, members());
    FrameWriter.pad(frame, (byte) 0);
  }
}
