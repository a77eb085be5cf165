package io.jvmscope.probe;

import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Counts births and deaths of objects by context and tick of the clock. Ticks double when there are
 * too many of them, so there are at most {@link #TICKS} rows for a context.
 */
final class PresenceRows implements Closeable {
  /** Takes births, their bytes, deaths and theirs, of a context in the tick that ends then. */
  interface Row {
    void take(int contextId, long end, long[] sums) throws IOException;
  }

  static final int TICKS = 512;
  private static final int LEAST_SHIFT = 10;

  /** Births, their bytes, deaths and theirs, by the context above and the tick below. */
  private final SortedSums rows;

  private final long[] key = new long[1];
  private final long[] amounts = new long[4];
  private int shift = LEAST_SHIFT;

  /**
   * Has no births yet.
   *
   * @param mostRows how many are in memory
   * @param folder where the others are
   */
  PresenceRows(int mostRows, Path folder) {
    this.rows = new SortedSums(1, 4, mostRows, folder);
  }

  /** An object of so many bytes was born when so many had been allocated, itself included. */
  void born(int context, long clock, long bytes) {
    add(context, clock, 0, bytes);
  }

  /** An object died before more was allocated. */
  void died(int context, long clock, long bytes) {
    add(context, clock, 2, bytes);
  }

  private void add(int context, long clock, int at, long bytes) {
    while (tick(clock) > TICKS) {
      shift++;
      rows.rekey(PresenceRows::halve);
    }
    key[0] = (long) context << 32 | tick(clock);
    Arrays.fill(amounts, 0);
    amounts[at] = 1;
    amounts[at + 1] = bytes;
    rows.add(key, amounts);
  }

  /** The number of the tick at whose end, or before, so much had been allocated; from 1. */
  private long tick(long clock) {
    return Math.max(1, clock + (1L << shift) - 1 >>> shift);
  }

  private static void halve(long[] keys, int at) {
    long tick = (keys[at] & 0xFFFF_FFFFL) + 1 >>> 1;
    keys[at] = keys[at] >>> 32 << 32 | tick;
  }

  /** How many bytes of the clock a tick takes. */
  long tickBytes() {
    return 1L << shift;
  }

  /** Takes the rows in the order of the table. */
  void forEach(Row taker) throws IOException {
    rows.forEach(
        row -> {
          long end = (row[0] & 0xFFFF_FFFFL) << shift;
          taker.take((int) (row[0] >>> 32), end, Arrays.copyOfRange(row, 1, row.length));
        });
  }

  void write(FrameWriter out) throws IOException {
    Int32Column context = new Int32Column("context_id");
    Int64Column clock = new Int64Column("clock_bytes");
    Int64Column length = new Int64Column("tick_bytes");
    Int64Column[] sums = {
      new Int64Column("n_born"),
      new Int64Column("born_bytes"),
      new Int64Column("n_died"),
      new Int64Column("died_bytes"),
    };
    Table table =
        new Table(
            out, "object_presence", context, clock, length, sums[0], sums[1], sums[2], sums[3]);
    forEach(
        (contextId, end, values) -> {
          context.add(contextId);
          clock.add(end);
          length.add(tickBytes());
          for (int k = 0; k < sums.length; k++) {
            sums[k].add(values[k]);
          }
          table.endRow();
        });
    table.finish();
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
