package io.jvmscope.dump;

import io.jvmscope.tables.FrameWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads frames back for tests: rows as lists of values in the order of the columns. */
final class FrameParser {
  private static final Pattern COLUMN =
      Pattern.compile("\\{\"name\":\"(\\w+)\",\"type\":\"([^\"]+)\"(?:,\"words\":\\[([^]]*)])?\\}");
  private static final Pattern NAME = Pattern.compile("\\{\"name\":\"(\\w+)\",\"columns\"");

  private record Column(String name, String type, String[] words) {}

  private final Map<Integer, String> names = new HashMap<>();
  private final Map<Integer, List<Column>> columns = new HashMap<>();
  private final Map<String, List<Map<String, Object>>> rows = new LinkedHashMap<>();
  private final Map<String, byte[]> classFiles = new LinkedHashMap<>();
  private final Map<String, Long> ends = new HashMap<>();
  private String result;
  private String error;

  FrameParser(byte[] stream) {
    ByteBuffer in = ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN);
    if (in.getLong() != FrameWriter.MAGIC || in.getInt() != FrameWriter.VERSION) {
      throw new IllegalStateException("no frames");
    }
    in.getInt();
    while (in.hasRemaining()) {
      int kind = in.getInt();
      int table = in.getInt();
      int length = (int) in.getLong();
      ByteBuffer payload = in.slice(in.position(), length).order(ByteOrder.LITTLE_ENDIAN);
      in.position(in.position() + length);
      read(kind, table, payload);
    }
  }

  private void read(int kind, int table, ByteBuffer payload) {
    switch (kind) {
      case FrameWriter.TABLE -> describe(table, text(payload, payload.remaining()));
      case FrameWriter.BATCH -> batch(table, payload);
      case FrameWriter.END_TABLE -> ends.put(names.get(table), payload.getLong());
      case FrameWriter.CLASS_FILE -> {
        int nameLength = payload.getInt();
        int fileLength = payload.getInt();
        String name = text(payload, nameLength);
        byte[] file = new byte[fileLength];
        payload.get(file);
        classFiles.put(name, file);
      }
      case FrameWriter.RESULT -> result = text(payload, payload.remaining()).trim();
      case FrameWriter.ERROR -> error = text(payload, payload.remaining()).trim();
      default -> {}
    }
  }

  private static String text(ByteBuffer in, int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private void describe(int table, String json) {
    Matcher name = NAME.matcher(json);
    if (!name.find()) {
      throw new IllegalStateException(json);
    }
    names.put(table, name.group(1));
    rows.put(name.group(1), new ArrayList<>());
    List<Column> found = new ArrayList<>();
    for (Matcher m = COLUMN.matcher(json); m.find(); ) {
      String[] words = m.group(3) == null ? null : m.group(3).replace("\"", "").split(",");
      found.add(new Column(m.group(1), m.group(2), words));
    }
    columns.put(table, found);
  }

  private void batch(int table, ByteBuffer in) {
    int count = in.getInt();
    int[] nulls = new int[columns.get(table).size()];
    for (int i = 0; i < nulls.length; i++) {
      nulls[i] = in.getInt();
    }
    align(in);
    List<Map<String, Object>> batch = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batch.add(new HashMap<>());
    }
    for (int c = 0; c < nulls.length; c++) {
      readColumn(columns.get(table).get(c), nulls[c], in, batch);
    }
    if (in.hasRemaining()) {
      throw new IllegalStateException("bytes left over");
    }
    rows.get(names.get(table)).addAll(batch);
  }

  private static void align(ByteBuffer in) {
    in.position(in.position() + 7 & ~7);
  }

  private static void readColumn(
      Column column, int nulls, ByteBuffer in, List<Map<String, Object>> batch) {
    int n = batch.size();
    byte[] validity = new byte[nulls == 0 ? 0 : n + 7 >> 3];
    in.get(validity);
    align(in);
    Object[] values = new Object[n];
    switch (column.type()) {
      case "int32" -> Arrays.setAll(values, i -> in.getInt());
      case "int64" -> Arrays.setAll(values, i -> in.getLong());
      case "code" -> Arrays.setAll(values, i -> column.words()[in.get() & 0xFF]);
      case "bool" -> {
        byte[] bits = new byte[n + 7 >> 3];
        in.get(bits);
        Arrays.setAll(values, i -> isSet(bits, i));
      }
      default -> readLists(column.type().equals("text"), values, in);
    }
    align(in);
    for (int i = 0; i < n; i++) {
      batch.get(i).put(column.name(), nulls > 0 && !isSet(validity, i) ? null : values[i]);
    }
  }

  private static boolean isSet(byte[] bits, int i) {
    return (bits[i >> 3] >> (i & 7) & 1) != 0;
  }

  /** Texts, or the lengths of lists of integers. */
  private static void readLists(boolean isText, Object[] values, ByteBuffer in) {
    int[] offsets = new int[values.length + 1];
    Arrays.setAll(offsets, i -> in.getInt());
    align(in);
    for (int i = 0; i < values.length; i++) {
      int length = offsets[i + 1] - offsets[i];
      values[i] = length;
      if (isText) {
        values[i] = text(in, length);
      } else {
        in.position(in.position() + 4 * length);
      }
    }
  }

  List<Map<String, Object>> table(String name) {
    return rows.get(name);
  }

  /** One column of a table. */
  List<Object> column(String table, String column) {
    List<Object> values = new ArrayList<>();
    for (Map<String, Object> row : rows.get(table)) {
      values.add(row.get(column));
    }
    return values;
  }

  /** Rows that the END_TABLE frame announced. */
  long end(String table) {
    return ends.get(table);
  }

  Map<String, byte[]> classFiles() {
    return classFiles;
  }

  String result() {
    return result;
  }

  String error() {
    return error;
  }
}
