package io.jvmscope.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What was measured of a method and a caller by all threads, and what of it the watcher knows. */
final class Totals {
  private final int method;
  private final String caller;
  private final List<Stats> live = new ArrayList<>();
  private final long[][] ended = new long[Stats.N_EXITS][];
  private final long[][] told = new long[Stats.N_EXITS][];
  private String lastTold;

  Totals(int method, String caller, String begin) {
    this.method = method;
    this.caller = caller;
    lastTold = begin;
  }

  void add(Stats stats) {
    live.add(stats);
  }

  /**
   * Tells what has been measured since the last time. What has ended is put together last, when all
   * is told, and needs no room for it.
   *
   * @return false if some values kept changing, so that they are for the next time
   */
  boolean tell(String now, Consumer<List<String>> out, SampleSender samples) {
    long[][] sums = new long[Stats.N_EXITS][];
    long[][] allEnded = copy(ended);
    List<Stats> over = new ArrayList<>();
    for (Stats stats : live) {
      boolean isOver = stats.isOver(); // before its values are read for the last time
      long[][] copy = stats.read();
      if (copy == null) {
        return false;
      }
      addTo(isOver ? allEnded : sums, copy);
      if (isOver) {
        finish(stats, samples);
        over.add(stats);
      }
    }
    addTo(sums, allEnded);
    for (int exit = 0; exit < Stats.N_EXITS; exit++) {
      List<String> row = sums[exit] == null ? null : row(sums[exit], exit, now);
      if (row != null) {
        out.accept(row);
      }
      told[exit] = sums[exit];
    }
    System.arraycopy(allEnded, 0, ended, 0, Stats.N_EXITS);
    live.removeAll(over);
    lastTold = now;
    return true;
  }

  private static long[][] copy(long[][] values) {
    long[][] copy = new long[Stats.N_EXITS][];
    addTo(copy, values);
    return copy;
  }

  /**
   * Tells single invocations that were not told yet, if they are kept.
   *
   * @param to where they go
   * @param most how many messages at most; what is left is for the next time
   * @return how many there were
   */
  int tellSamples(SampleSender to, int most) {
    int n = 0;
    for (Stats stats : live) {
      if (n < most && stats.samples != null) {
        n += to.add(method, caller, stats.samples, most - n);
      }
    }
    return n;
  }

  /** Tells the last single invocations: nothing adds to them any more. */
  void finish(SampleSender to) {
    live.forEach(stats -> finish(stats, to));
  }

  private void finish(Stats stats, SampleSender to) {
    if (stats.samples != null) {
      to.finish(method, caller, stats.samples);
    }
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
      for (int k = Stats.SAMPLED; k < sum.length; k++) {
        sum[k] += more[k];
      }
    }
  }

  /** What has come since the last time; null: nothing. */
  private List<String> row(long[] sums, int exit, String now) {
    long[] before = told[exit] == null ? Stats.none() : told[exit];
    List<String> row = new ArrayList<>();
    row.addAll(List.of("time", lastTold, now, Integer.toString(method), caller));
    row.add(Integer.toString(exit));
    row.add(Long.toString(sums[Stats.TOTAL] - before[Stats.TOTAL]));
    row.add(Long.toString(sums[Stats.LEAST]));
    row.add(Long.toString(sums[Stats.MOST]));
    row.add(Long.toString(sums[Stats.SAMPLED] - before[Stats.SAMPLED]));
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
