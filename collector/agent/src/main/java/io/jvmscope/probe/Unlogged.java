package io.jvmscope.probe;

import java.util.Map;
import java.util.TreeMap;

/**
 * What tables lack, or have without its class, because the log has no class of a number: a VM that
 * was killed had not written it, or the log was full.
 */
public final class Unlogged {
  private final Map<String, Long> counts = new TreeMap<>();

  /**
   * Says how much of a table is concerned.
   *
   * @param count objects, or what the table counts of other things; all of them
   */
  void note(String table, long count) {
    if (count != 0) {
      counts.put(table, count);
    }
  }

  /** The same, by the table's name; tables that are whole are not in it. */
  public Map<String, Long> counts() {
    return counts;
  }
}
