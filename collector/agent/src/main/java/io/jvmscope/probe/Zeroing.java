package io.jvmscope.probe;

import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import java.io.IOException;
import java.util.Map;

/** How fields were accessed first: where that was a write, their zero was needless. */
final class Zeroing extends NamedProbe {
  private static final int FIRST_WRITE = 1;

  Zeroing() {
    super("zeroing");
  }

  @Override
  public ProbeTables tables(Recording recording) {
    return () -> write(recording);
  }

  private static void write(Recording recording) throws IOException {
    Int32Column field = new Int32Column("field_id");
    Int64Column objects = new Int64Column("n_objects");
    Int64Column read = new Int64Column("n_read_first");
    Int64Column written = new Int64Column("n_written_first");
    Table table = new Table(recording.out(), "field_zeroing", field, objects, read, written);
    WatchedObjects watched = recording.watched();
    for (Map.Entry<Integer, WatchedObjects.OfField> entry : watched.fields.entrySet()) {
      WatchedObjects.OfField known = entry.getValue();
      if (known.objects > 0) {
        field.add(entry.getKey());
        objects.add(known.objects);
        read.add(known.count(FIRST_WRITE, 0));
        written.add(known.count(FIRST_WRITE, FIRST_WRITE));
        table.endRow();
      }
    }
    table.finish();
  }
}
