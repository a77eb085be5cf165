package io.jvmscope.dump;

import io.jvmscope.classfile.ClassFile;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** A hash of a class file that does not depend on the name that the class was given. */
final class ContentHash {
  private static final int UTF8 = 1;

  private ContentHash() {}

  /** SHA-256 of the file with the class's own name, wherever it is in a text, replaced. */
  static byte[] of(ClassFile file, String nameInstead) {
    MessageDigest digest = sha256();
    byte[] bytes = file.bytes();
    int count = file.u2(8);
    int end = 10;
    for (int i = 1; i < count; i++) {
      int at = file.poolOffset(i);
      if (at == 0) {
        continue;
      }
      int length = length(file, at);
      if (file.u1(at) == UTF8) {
        String text = file.utf8(i).replace(file.name(), nameInstead);
        digest.update(text.getBytes(StandardCharsets.UTF_8));
      } else {
        digest.update(bytes, at, length);
      }
      end = at + length;
    }
    digest.update(bytes, end, bytes.length - end);
    return digest.digest();
  }

  private static int length(ClassFile file, int at) {
    return switch (file.u1(at)) {
      case UTF8 -> 3 + file.u2(at + 1);
      case 5, 6 -> 9;
      case 7, 8, 16, 19, 20 -> 3;
      case 15 -> 4;
      default -> 5;
    };
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }
}
