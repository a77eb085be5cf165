package io.jvmscope.tables;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Values of any length; a buffer of rows + 1 offsets of 4 bytes, then the members of all rows. */
abstract class ListColumn extends Column {
  private int[] offsets = new int[1025];

  ListColumn(String name) {
    super(name);
  }

  /** Members of all rows of the batch so far, which is where those of the next row start. */
  final int members() {
    return offsets[rows];
  }

  /** Ends a row whose last member is before a place. */
  final void endRow(int end) {
    if (rows + 1 == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * rows + 1);
    }
    offsets[++rows] = end;
  }

  /** Bytes of a member. */
  abstract int memberBytes();

  /** Puts the members, padded. */
  abstract void putMembers(ByteBuffer frame);

  @Override
  final int valueBytes() {
    return FrameWriter.padded(4 * (rows + 1)) + FrameWriter.padded(memberBytes() * members());
  }

  @Override
  final void putValues(ByteBuffer frame) {
    FrameWriter.putInts(frame, offsets, rows + 1);
    putMembers(frame);
  }

  @Override
  final void addNothing() {
    endRow(members());
  }
}
