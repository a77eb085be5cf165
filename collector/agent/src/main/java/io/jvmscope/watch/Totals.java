package io.jvmscope.watch;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/** What was measured of a method and a caller by all threads, and what of it the watcher knows. */
final class Totals {
  private final int method;
  private final String caller;
  private final List<Stats> live = new ArrayList<>();
  private final long[][] ended = new long[Stats.N_EXITS][];
  private final long[][] told = new long[Stats.N_EXITS][];

  Totals(int method, String caller) {
    this.method = method;
    this.caller = caller;
  }

  void add(Stats stats) {
    live.add(stats);
  }

  /**
   * Tells what has been measured since the last time.
   *
   * @return false if some values kept changing, so that they are for the next time
   */
  boolean tell(String start, String end, Consumer<List<String>> out) {
    long[][] sums = new long[Stats.N_EXITS][];
    List<long[][]> copies = new ArrayList<>();
    List<Stats> over = new ArrayList<>();
    for (Stats stats : live) {
      boolean isOver = stats.isOver(); // before its values are read for the last time
      long[][] copy = stats.read();
      if (copy == null) {
        return false;
      }
      copies.add(copy);
      if (isOver) {
        over.add(stats);
      }
    }
    Iterator<long[][]> each = copies.iterator();
    for (Stats stats : live) {
      addTo(over.contains(stats) ? ended : sums, each.next());
    }
    live.removeAll(over);
    addTo(sums, ended);
    for (int exit = 0; exit < Stats.N_EXITS; exit++) {
      if (sums[exit] != null) {
        List<String> row = row(sums[exit], exit, start, end);
        if (row != null) {
          out.accept(row);
        }
        told[exit] = sums[exit];
      }
    }
    return true;
  }

  private static void addTo(long[][] sums, long[][] values) {
    for (int exit = 0; exit < Stats.N_EXITS; exit++) {
      long[] more = values[exit];
      if (more == null) {
        continue;
      }
      if (sums[exit] == null) {
        sums[exit] = Stats.none();
      }
      long[] sum = sums[exit];
      sum[Stats.TOTAL] += more[Stats.TOTAL];
      sum[Stats.LEAST] = Math.min(sum[Stats.LEAST], more[Stats.LEAST]);
      sum[Stats.MOST] = Math.max(sum[Stats.MOST], more[Stats.MOST]);
      for (int k = Stats.BUCKETS; k < sum.length; k++) {
        sum[k] += more[k];
      }
    }
  }

  /** What has come since the last time; null: nothing. */
  private List<String> row(long[] sums, int exit, String start, String end) {
    long[] before = told[exit] == null ? Stats.none() : told[exit];
    List<String> row = new ArrayList<>();
    row.addAll(List.of("time", start, end, Integer.toString(method), caller));
    row.add(Integer.toString(exit));
    row.add(Long.toString(sums[Stats.TOTAL] - before[Stats.TOTAL]));
    row.add(Long.toString(sums[Stats.LEAST]));
    row.add(Long.toString(sums[Stats.MOST]));
    int size = row.size();
    for (int k = Stats.BUCKETS; k < sums.length; k++) {
      if (sums[k] != before[k]) {
        row.add(Integer.toString(k - Stats.BUCKETS));
        row.add(Long.toString(sums[k] - before[k]));
      }
    }
    return row.size() == size ? null : row;
  }
}
