package io.jvmscope.tables;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Lists of 32-bit integers. */
public final class Int32ListColumn extends ListColumn {
  private int[] members = new int[1024];

  public Int32ListColumn(String name) {
    super(name);
  }

  public void add(int[] list) {
    int start = members();
    int end = start + list.length;
    if (end > members.length) {
      members = Arrays.copyOf(members, Math.max(end, 2 * members.length));
    }
    System.arraycopy(list, 0, members, start, list.length);
    endRow(end);
  }

  @Override
  String type() {
    return "int32[]";
  }

  @Override
  int memberBytes() {
    return 4;
  }

  @Override
  void putMembers(ByteBuffer frame) {
    FrameWriter.putInts(frame, members, members());
  }
}
