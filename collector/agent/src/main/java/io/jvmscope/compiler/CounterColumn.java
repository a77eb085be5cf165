package io.jvmscope.compiler;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A column of counts in a table of the probe, and the keys that name a row.
 *
 * @param kinds of the keys, as {@code SnippetKeys} has them
 * @param keys their names
 */
record CounterColumn(String kinds, List<String> keys) {

  /** The columns that a text names, {@code TABLE.COLUMN:KINDS:KEY;KEY…,…}, by their names. */
  static Map<String, CounterColumn> parse(String text) {
    Map<String, CounterColumn> columns = new TreeMap<>();
    for (String each : text.split(",")) {
      String[] parts = each.split(":", -1);
      List<String> keys = parts[2].isEmpty() ? List.of() : List.of(parts[2].split(";"));
      columns.put(parts[0], new CounterColumn(parts[1], keys));
    }
    return columns;
  }

  boolean isNullable(int key) {
    return Character.isUpperCase(kinds.charAt(key));
  }

  char kind(int key) {
    return Character.toLowerCase(kinds.charAt(key));
  }
}
