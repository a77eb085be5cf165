package io.jvmscope.agent;

import io.jvmscope.probe.SnippetLog;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Notes the keys that snippets count under, as {@link SnippetLog} reads them: one call for each.
 */
final class SnippetKeyLog {
  private final FileOutputStream out;

  SnippetKeyLog(Path raw) throws IOException {
    out = new FileOutputStream(raw.resolve(SnippetLog.FILE).toFile());
  }

  /** Writes the next key; false if that cannot be. */
  boolean write(int counter, Object[] values) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      bytes.write(values.length);
      writeNumber(bytes, counter, Integer.BYTES);
      for (Object value : values) {
        write(bytes, value);
      }
      out.write(bytes.toByteArray());
      return true;
    } catch (IOException e) {
      CallingContext.logFailed();
      return false;
    }
  }

  private static void write(ByteArrayOutputStream bytes, Object value) {
    if (value instanceof Long number) {
      bytes.write(SnippetLog.NUMBER);
      writeNumber(bytes, number, Long.BYTES);
    } else if (value instanceof String text) {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      bytes.write(SnippetLog.TEXT);
      writeNumber(bytes, utf8.length, Integer.BYTES);
      bytes.write(utf8, 0, utf8.length);
    } else if (value instanceof Boolean isTrue) {
      bytes.write(isTrue ? SnippetLog.TRUE : SnippetLog.FALSE);
    } else {
      bytes.write(SnippetLog.NOTHING);
    }
  }

  /** As DataOutputStream does, which links VarHandles that the program may be the first to need. */
  private static void writeNumber(ByteArrayOutputStream bytes, long number, int size) {
    for (int shift = Byte.SIZE * (size - 1); shift >= 0; shift -= Byte.SIZE) {
      bytes.write((int) (number >>> shift));
    }
  }
}
