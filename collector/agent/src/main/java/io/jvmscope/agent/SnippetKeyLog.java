package io.jvmscope.agent;

import io.jvmscope.probe.SnippetLog;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
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
      DataOutputStream data = new DataOutputStream(bytes);
      data.writeByte(values.length);
      data.writeInt(counter);
      for (Object value : values) {
        write(data, value);
      }
      out.write(bytes.toByteArray());
      return true;
    } catch (IOException e) {
      CallingContext.logFailed();
      return false;
    }
  }

  private static void write(DataOutputStream data, Object value) throws IOException {
    if (value instanceof Long number) {
      data.writeByte(SnippetLog.NUMBER);
      data.writeLong(number);
    } else if (value instanceof String text) {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      data.writeByte(SnippetLog.TEXT);
      data.writeInt(utf8.length);
      data.write(utf8);
    } else if (value instanceof Boolean isTrue) {
      data.writeByte(isTrue ? SnippetLog.TRUE : SnippetLog.FALSE);
    } else {
      data.writeByte(SnippetLog.NOTHING);
    }
  }
}
