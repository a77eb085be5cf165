package io.jvmscope.probe;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The file in which the agent notes the keys that snippets count under, one record for each: the
 * counter, the number of values, and of each value a byte that tells its type, and itself. The n-th
 * record is the key n, from 1.
 */
public final class SnippetLog {
  public static final String FILE = "snippets.log";

  public static final byte NOTHING = 0;
  public static final byte NUMBER = 1;
  public static final byte TEXT = 2;
  public static final byte FALSE = 3;
  public static final byte TRUE = 4;

  /** A key; counters below 0 are failures of snippets. */
  record Key(int counter, Object[] values) {}

  private SnippetLog() {}

  /** The keys in order; a VM that was killed may have left the last one cut off. */
  static List<Key> read(Path raw) throws IOException {
    List<Key> keys = new ArrayList<>();
    Path file = raw.resolve(FILE);
    if (!Files.exists(file)) {
      return keys;
    }
    try (InputStream in = Files.newInputStream(file);
        DataInputStream data = new DataInputStream(new BufferedInputStream(in))) {
      while (true) {
        Object[] values = new Object[data.readUnsignedByte()];
        int counter = data.readInt();
        for (int k = 0; k < values.length; k++) {
          values[k] = value(data);
        }
        keys.add(new Key(counter, values));
      }
    } catch (EOFException e) {
      return keys;
    }
  }

  private static Object value(DataInputStream data) throws IOException {
    switch (data.readByte()) {
      case NUMBER:
        return data.readLong();
      case TEXT:
        return new String(data.readNBytes(data.readInt()), StandardCharsets.UTF_8);
      case FALSE:
        return false;
      case TRUE:
        return true;
      default:
        return null;
    }
  }
}
