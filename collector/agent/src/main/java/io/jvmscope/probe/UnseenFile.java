package io.jvmscope.probe;

import io.jvmscope.arena.RecordingDamaged;
import io.jvmscope.classfile.ModifiedUtf8;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The objects that {@code collector/native} counted because no bytecode made them; {@code
 * unseen_file.h} there describes the file.
 *
 * @param made by maker and type, in the order in which the library met them
 * @param lost objects whose type found no room
 */
record UnseenFile(List<Made> made, long lost) {
  /** Its name in the raw directory; without the library, there is none. */
  static final String NAME = "unseen";

  private static final long MAGIC = 0x31534e55534d564aL;
  private static final String[] MAKERS = {"jni", "vm"};

  // struct unseen_header
  private static final int USED = 8;
  private static final int LOST = 16;
  private static final int HEADER_BYTES = 24;

  // struct unseen_record
  private static final int MAKER = 8;
  private static final int LENGTH = 12;
  private static final int TYPE = 16;

  /**
   * Objects of a type.
   *
   * @param maker as table {@code unseen_allocation} has it
   * @param type name of a class, or descriptor of an array
   */
  record Made(String maker, String type, long objects) {}

  static UnseenFile read(Path path) throws IOException {
    ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.nativeOrder());
    if (file.limit() < HEADER_BYTES || file.getLong(0) != MAGIC) {
      throw new RecordingDamaged(path + ": not written by the library for native code");
    }
    List<Made> made = new ArrayList<>();
    int used = Math.toIntExact(file.getLong(USED));
    try {
      for (int at = HEADER_BYTES; at < used; at += TYPE + (file.getInt(at + LENGTH) + 8) / 8 * 8) {
        String type = ModifiedUtf8.decode(file.array(), at + TYPE, file.getInt(at + LENGTH));
        made.add(new Made(MAKERS[file.getInt(at + MAKER)], type, file.getLong(at)));
      }
    } catch (IndexOutOfBoundsException e) {
      throw new RecordingDamaged(path + ": a record leads out of the file");
    }
    return new UnseenFile(made, file.getLong(LOST));
  }
}
