package io.jvmscope.agent;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.WholeFile;
import io.jvmscope.layout.FieldGroups;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The instance fields of the classes of a prepared JDK. The key of a field is its number among all
 * of them, by class name.
 *
 * <p>The file {@code jdk.fields}, big-endian: number of classes n, number of fields; n rows of the
 * key of the class's first field (4) and offset of its text (4), sorted by name; then the texts:
 * name, name of the superclass, all fields as {@link FieldGroups}, and each of them, a line each.
 */
final class JdkFields {
  private static final int HEADER = 8;
  private static final int ROW = 8;

  private final byte[] bytes;
  private final int classes;

  JdkFields(byte[] bytes) {
    this.bytes = bytes;
    this.classes = s4(0);
  }

  static JdkFields read(Path directory) throws IOException {
    return new JdkFields(WholeFile.read(directory.resolve("jdk.fields")));
  }

  void write(Path directory) throws IOException {
    Files.write(directory.resolve("jdk.fields"), bytes);
  }

  /** What is written of one class. */
  record Entry(byte[] name, byte[] text, int fields) {
    static Entry of(ClassFile file) {
      String[] fields = InstanceFields.of(file);
      StringBuilder text = new StringBuilder();
      text.append(file.name()).append('\n');
      text.append(file.superName()).append('\n');
      text.append(FieldGroups.of(file)).append('\n');
      for (String field : fields) {
        text.append(field).append('\n');
      }
      return new Entry(utf8(file.name()), utf8(text.toString()), fields.length);
    }
  }

  /** The bytes of the fields of some classes. */
  static byte[] write(List<Entry> classes) throws IOException {
    List<Entry> sorted = new ArrayList<>(classes);
    sorted.sort((a, b) -> Arrays.compareUnsigned(a.name, b.name));
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(whole);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    int textStart = HEADER + ROW * sorted.size();
    int keys = 0;
    for (Entry entry : sorted) {
      keys += entry.fields;
    }
    out.writeInt(sorted.size());
    out.writeInt(keys);
    int key = 0;
    for (Entry entry : sorted) {
      out.writeInt(key);
      out.writeInt(textStart + text.size());
      text.write(entry.text);
      key += entry.fields;
    }
    text.writeTo(out);
    return whole.toByteArray();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Number of keys. */
  int count() {
    return s4(4);
  }

  /** The row of a class; -1 if the JDK has none of that name. */
  int row(String className) {
    byte[] name = utf8(className);
    int low = 0;
    int high = classes - 1;
    while (low <= high) {
      int middle = low + high >>> 1;
      int order = compare(textAt(middle), name);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  private int compare(int start, byte[] name) {
    for (int i = 0; i < name.length; i++) {
      int difference = (bytes[start + i] & 0xFF) - (name[i] & 0xFF);
      if (difference != 0) {
        return difference; // a line feed is less than any character of a name
      }
    }
    return bytes[start + name.length] == '\n' ? 0 : 1;
  }

  /** The row of the class that declares the field of a key. */
  int rowOf(int key) {
    int low = 0;
    int high = classes - 1;
    while (low < high) {
      int middle = low + high + 1 >>> 1;
      if (firstKey(middle) <= key) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** The key of the first field of a class. */
  int firstKey(int row) {
    return s4(HEADER + ROW * row);
  }

  private int textAt(int row) {
    return s4(HEADER + ROW * row + 4);
  }

  /** The name of a class. */
  String className(int row) {
    return line(textAt(row));
  }

  /** The fields of a class, as {@link InstanceFields} has them. */
  String[] fields(int row) {
    String[] fields = new String[(row + 1 < classes ? firstKey(row + 1) : count()) - firstKey(row)];
    int at = next(next(next(textAt(row))));
    for (int k = 0; k < fields.length; k++) {
      fields[k] = line(at);
      at = next(at);
    }
    return fields;
  }

  /** The fields of a class as {@link FieldGroups}. */
  String groups(int row) {
    return line(next(next(textAt(row))));
  }

  /** The key of a field as an instruction of a class of the JDK names it. */
  private int key(String owner, String name, String descriptor) {
    for (int row = row(owner); row >= 0; row = row(line(next(textAt(row))))) {
      int index = InstanceFields.indexOf(fields(row), name, descriptor);
      if (index >= 0) {
        return firstKey(row) + index;
      }
    }
    return FieldKeys.NONE;
  }

  private String line(int at) {
    return new String(bytes, at, next(at) - 1 - at, StandardCharsets.UTF_8);
  }

  private int next(int at) {
    int end = at;
    while (bytes[end] != '\n') {
      end++;
    }
    return end + 1;
  }

  private int s4(int at) {
    return (bytes[at] & 0xFF) << 24
        | (bytes[at + 1] & 0xFF) << 16
        | (bytes[at + 2] & 0xFF) << 8
        | bytes[at + 3] & 0xFF;
  }

  /** How the code of a class of the JDK names fields; {@code fields} is null if none are known. */
  static FieldKeys keysOf(JdkFields fields, String className) {
    return fields == null
        ? FieldKeys.none(ShadowEdit.hasWords(className), false)
        : fields.of(className);
  }

  /** How the code of one of these classes names fields. */
  private FieldKeys of(String className) {
    boolean isWatched = ShadowEdit.hasWords(className);
    return new FieldKeys() {
      @Override
      public int key(String owner, String name, String descriptor) {
        int key = anyKey(owner, name, descriptor);
        return key == NONE || !ShadowEdit.hasWords(className(rowOf(key))) ? NONE : key;
      }

      @Override
      public int anyKey(String owner, String name, String descriptor) {
        return JdkFields.this.key(owner, name, descriptor);
      }

      @Override
      public boolean isWatched() {
        return isWatched;
      }

      @Override
      public boolean isHidden() {
        return false;
      }
    };
  }
}
