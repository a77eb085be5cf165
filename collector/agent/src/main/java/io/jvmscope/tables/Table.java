package io.jvmscope.tables;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A table on its way out: its columns are filled row by row, and go as one frame when a batch is
 * full. A batch has {@link #BATCH_ROWS} rows, which are one row group of the Parquet file, so that
 * the reader need not copy; a batch of much text may have fewer.
 */
public final class Table {
  public static final int BATCH_ROWS = 131_072;

  private static final int MOST_BATCH_BYTES = 64 << 20;

  private final FrameWriter out;
  private final int number;
  private final Column[] columns;
  private int rows; // in the batch
  private long total;

  /** Announces a table; columns in the order of its definition. */
  public Table(FrameWriter out, String name, Column... columns) throws IOException {
    this.out = out;
    this.columns = columns;
    this.number = out.table(description(name));
  }

  private String description(String name) {
    String list = Stream.of(columns).map(Table::description).collect(Collectors.joining(","));
    return "{\"name\":" + Json.text(name) + ",\"columns\":[" + list + "]}";
  }

  private static String description(Column column) {
    String words = column instanceof CodeColumn c ? ",\"words\":" + Json.list(c.words()) : "";
    return "{\"name\":"
        + Json.text(column.name())
        + ",\"type\":"
        + Json.text(column.type())
        + words
        + "}";
  }

  /** Ends a row: each column has got one more value. */
  public void endRow() throws IOException {
    if (++rows == BATCH_ROWS || (rows & 1023) == 0 && bytes() > MOST_BATCH_BYTES) {
      flush();
    }
  }

  /** Rows so far, which is the key of the next one. */
  public long total() {
    return total + rows;
  }

  private int bytes() {
    int bytes = FrameWriter.padded(4 + 4 * columns.length);
    for (Column column : columns) {
      bytes += column.bytes();
    }
    return bytes;
  }

  private void flush() throws IOException {
    out.write(FrameWriter.BATCH, number, bytes(), this::put);
    total += rows;
    rows = 0;
  }

  /** Moves the rows of the batch into a frame. */
  private void put(ByteBuffer frame) {
    frame.putInt(rows);
    for (Column column : columns) {
      frame.putInt(column.nulls());
    }
    FrameWriter.pad(frame, (byte) 0);
    for (Column column : columns) {
      column.put(frame);
      column.clear();
    }
  }

  /** Sends what is left, then the number of rows. */
  public void finish() throws IOException {
    if (rows > 0) {
      flush();
    }
    out.write(FrameWriter.END_TABLE, number, 8, frame -> frame.putLong(total));
  }
}
