package io.jvmscope.classfile;

import java.nio.charset.StandardCharsets;

/**
 * The class file's string encoding (JVMS 4.4.7): UTF-16 units in one to three bytes, NUL in two.
 */
public final class ModifiedUtf8 {
  private ModifiedUtf8() {}

  /** Decodes {@code length} bytes; lone surrogates stay what they are. */
  public static String decode(byte[] bytes, int start, int length) {
    int end = start + length;
    if (isAscii(bytes, start, end)) {
      return new String(bytes, start, length, StandardCharsets.ISO_8859_1);
    }
    char[] units = new char[length];
    int n = 0;
    for (int at = start; at < end; ) {
      int first = bytes[at] & 0xFF;
      if (first < 0x80) {
        units[n++] = (char) first;
        at++;
      } else if (first < 0xE0) {
        units[n++] = (char) ((first & 0x1F) << 6 | bytes[at + 1] & 0x3F);
        at += 2;
      } else {
        units[n++] =
            (char) ((first & 0x0F) << 12 | (bytes[at + 1] & 0x3F) << 6 | bytes[at + 2] & 0x3F);
        at += 3;
      }
    }
    return new String(units, 0, n);
  }

  private static boolean isAscii(byte[] bytes, int start, int end) {
    for (int at = start; at < end; at++) {
      if (bytes[at] < 0) {
        return false;
      }
    }
    return true;
  }
}
