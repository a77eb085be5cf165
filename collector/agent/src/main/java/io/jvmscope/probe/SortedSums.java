package io.jvmscope.probe;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Adds up rows by key, and has them in the order of keys, in bounded memory: when there are too
 * many rows, they are sorted and written to a file, and all such runs are merged at the end.
 *
 * <p>Keys are some longs, compared one after the other, and sums are some more. A row has the key
 * first.
 */
final class SortedSums implements Closeable {
  /** How many rows are in memory at most, unless a test says less: with five longs, 30 MB. */
  static final int MOST_ROWS = 1 << 19;

  private static final int FEWEST_ROWS = 1 << 8;
  private static final int BUFFER_LONGS = 1 << 13;

  /** Takes a row, whose array is the taker's from then on. */
  interface Taker {
    void take(long[] row) throws IOException;
  }

  /** Changes the key of a row; the order of keys stays, but some may become equal. */
  interface Rekeying {
    void change(long[] rows, int at);
  }

  private final int keyLongs;
  private final int width;
  private final int mostRows;
  private final Path folder;
  private final List<Rekeying> rekeyings = new ArrayList<>();
  private final List<Run> runs = new ArrayList<>();
  private long[] rows; // in the order in which they came
  private int[] table; // by hash, numbers of rows from 1; twice as many places, or more
  private int count;
  private FileChannel file; // null: all rows are in memory

  /**
   * Has no rows yet.
   *
   * @param folder where a file may be, which goes away when this is closed
   */
  SortedSums(int keyLongs, int sumLongs, int mostRows, Path folder) {
    this.keyLongs = keyLongs;
    this.width = keyLongs + sumLongs;
    this.mostRows = mostRows;
    this.folder = folder;
    empty(Math.min(mostRows, FEWEST_ROWS));
  }

  private void empty(int capacity) {
    rows = new long[capacity * width];
    table = new int[Integer.highestOneBit(capacity) << 2];
    count = 0;
  }

  /**
   * Adds amounts to the sums of a key.
   *
   * @throws UncheckedIOException the file cannot be written
   */
  void add(long[] key, long... amounts) {
    add(key, 0, amounts, 0);
  }

  private void add(long[] key, int keyAt, long[] amounts, int amountsAt) {
    int place = place(key, keyAt);
    if (table[place] == 0) {
      if (count * width == rows.length) {
        makeRoom();
        place = place(key, keyAt);
      }
      System.arraycopy(key, keyAt, rows, count * width, keyLongs);
      table[place] = ++count;
    }
    int at = (table[place] - 1) * width + keyLongs;
    for (int k = 0; k < width - keyLongs; k++) {
      rows[at + k] += amounts[amountsAt + k];
    }
  }

  /** Where the table has a key, or has room for it. */
  private int place(long[] key, int at) {
    long hash = 0;
    for (int k = 0; k < keyLongs; k++) {
      hash = (hash ^ key[at + k]) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 32;
    }
    int place = (int) hash & table.length - 1;
    while (table[place] != 0 && !isKey(table[place] - 1, key, at)) {
      place = place + 1 & table.length - 1;
    }
    return place;
  }

  private boolean isKey(int row, long[] key, int at) {
    int start = row * width;
    return Arrays.equals(rows, start, start + keyLongs, key, at, at + keyLongs);
  }

  private void makeRoom() {
    if (count < mostRows) {
      refill(rows, count, Math.min(mostRows, 2 * count));
      return;
    }
    try {
      spill();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    empty(mostRows);
  }

  private void refill(long[] old, int oldCount, int capacity) {
    empty(capacity);
    for (int k = 0; k < oldCount; k++) {
      add(old, k * width, old, k * width + keyLongs);
    }
  }

  /** Changes the keys of all rows. */
  void rekey(Rekeying rekeying) {
    for (int k = 0; k < count; k++) {
      rekeying.change(rows, k * width);
    }
    refill(rows, count, rows.length / width);
    if (!runs.isEmpty()) {
      rekeyings.add(rekeying);
    }
  }

  /** How many runs there are in the file. */
  int runCount() {
    return runs.size();
  }

  /** Takes all rows, in the order of their keys. */
  void forEach(Taker taker) throws IOException {
    if (runs.isEmpty()) {
      for (int row : sorted()) {
        taker.take(Arrays.copyOfRange(rows, row * width, (row + 1) * width));
      }
      return;
    }
    spill();
    empty(FEWEST_ROWS);
    PriorityQueue<Run> heads = new PriorityQueue<>((one, other) -> compare(one.row, other.row));
    for (Run run : runs) {
      run.begin();
      heads.add(run);
    }
    while (!heads.isEmpty()) {
      long[] sums = heads.peek().row.clone();
      step(heads);
      while (!heads.isEmpty() && compare(heads.peek().row, sums) == 0) {
        long[] more = heads.peek().row;
        for (int k = keyLongs; k < width; k++) {
          sums[k] += more[k];
        }
        step(heads);
      }
      taker.take(sums);
    }
  }

  /** Goes on to the next row of the run whose row is the first. */
  private static void step(PriorityQueue<Run> heads) throws IOException {
    Run run = heads.poll();
    if (run.next()) {
      heads.add(run);
    }
  }

  private int compare(long[] one, long[] other) {
    return Arrays.compare(one, 0, keyLongs, other, 0, keyLongs);
  }

  /** The numbers of the rows in memory, in the order of their keys. */
  private Integer[] sorted() {
    Integer[] order = new Integer[count];
    Arrays.setAll(order, k -> k);
    Arrays.sort(
        order,
        (one, other) ->
            Arrays.compare(
                rows,
                one * width,
                one * width + keyLongs,
                rows,
                other * width,
                other * width + keyLongs));
    return order;
  }

  /** Writes the rows in memory as one more run. */
  private void spill() throws IOException {
    if (count == 0) {
      return;
    }
    if (file == null) {
      Path path = Files.createTempFile(folder, "rows", null);
      file =
          FileChannel.open(
              path,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
    }
    Run run = new Run(file.size(), count);
    ByteBuffer bytes = buffer();
    for (int row : sorted()) {
      if (bytes.remaining() < width * Long.BYTES) {
        write(bytes);
      }
      for (int k = row * width; k < (row + 1) * width; k++) {
        bytes.putLong(rows[k]);
      }
    }
    write(bytes);
    runs.add(run);
  }

  private void write(ByteBuffer bytes) throws IOException {
    bytes.flip();
    long at = file.size();
    while (bytes.hasRemaining()) {
      at += file.write(bytes, at);
    }
    bytes.clear();
  }

  private ByteBuffer buffer() {
    return ByteBuffer.allocate(BUFFER_LONGS / width * width * Long.BYTES);
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }

  /** Sorted rows in the file. */
  private final class Run {
    private final long start;
    private final int size;
    private final int known; // how often keys had been changed when it was written
    private final ByteBuffer bytes = buffer();
    private LongBuffer longs;
    private long at;
    private int left;
    final long[] row = new long[width];

    Run(long start, int size) {
      this.start = start;
      this.size = size;
      this.known = rekeyings.size();
    }

    /** Reads from the beginning, where it has a row. */
    void begin() throws IOException {
      at = start;
      left = size;
      longs = LongBuffer.allocate(0);
      next();
    }

    /** Reads the next row, if there is one. */
    boolean next() throws IOException {
      if (left == 0) {
        return false;
      }
      if (!longs.hasRemaining()) {
        fill();
      }
      left--;
      longs.get(row);
      for (Rekeying each : rekeyings.subList(known, rekeyings.size())) {
        each.change(row, 0);
      }
      return true;
    }

    private void fill() throws IOException {
      bytes.clear();
      bytes.limit((int) Math.min(bytes.capacity(), (long) left * width * Long.BYTES));
      while (bytes.hasRemaining()) {
        int read = file.read(bytes, at);
        if (read < 0) {
          throw new EOFException("rows were taken from a file");
        }
        at += read;
      }
      longs = bytes.flip().asLongBuffer();
    }
  }
}
