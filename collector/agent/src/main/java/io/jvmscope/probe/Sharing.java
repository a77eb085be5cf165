package io.jvmscope.probe;

import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import java.io.IOException;
import java.util.Map;

/** Which fields and objects several threads read or write. */
final class Sharing extends NamedProbe {
  // Of a field: who reads and who writes.
  private static final int READERS = 3 << 2;
  private static final int SEVERAL_READERS = 2 << 2;
  private static final int WRITERS = 3 << 4;
  private static final int ALLOCATING_WRITER = 1 << 4;
  private static final int SEVERAL_WRITERS = 3 << 4;

  // Of an object: how many of its fields are read-shared, and write-shared.
  private static final int READ = 3 << 2;
  private static final int WRITE = 3 << 4;
  private static final int SOME = 1;
  private static final int ALL = 2;

  Sharing() {
    super("sharing");
  }

  @Override
  public ProbeTables tables(Recording recording) {
    return () -> {
      writeFields(recording);
      writeClasses(recording);
    };
  }

  private static void writeFields(Recording recording) throws IOException {
    Int32Column field = new Int32Column("field_id");
    Int64Column objects = new Int64Column("n_objects");
    Int64Column read = new Int64Column("n_read_shared");
    Int64Column written = new Int64Column("n_write_shared");
    Table table = new Table(recording.out(), "field_sharing", field, objects, read, written);
    WatchedObjects watched = recording.watched();
    for (Map.Entry<Integer, WatchedObjects.OfField> entry : watched.fields.entrySet()) {
      WatchedObjects.OfField known = entry.getValue();
      if (known.objects > 0) {
        field.add(entry.getKey());
        objects.add(known.objects);
        read.add(known.count(READERS | WRITERS, SEVERAL_READERS | ALLOCATING_WRITER));
        written.add(known.count(WRITERS, SEVERAL_WRITERS));
        table.endRow();
      }
    }
    table.finish();
  }

  private static void writeClasses(Recording recording) throws IOException {
    Int32Column classId = new Int32Column("class_id");
    Int64Column objects = new Int64Column("n_objects");
    Int64Column partlyRead = new Int64Column("n_partially_read_shared");
    Int64Column fullyRead = new Int64Column("n_fully_read_shared");
    Int64Column partlyWritten = new Int64Column("n_partially_write_shared");
    Int64Column fullyWritten = new Int64Column("n_fully_write_shared");
    Table table =
        new Table(
            recording.out(),
            "object_sharing",
            classId,
            objects,
            partlyRead,
            fullyRead,
            partlyWritten,
            fullyWritten);
    WatchedObjects watched = recording.watched();
    for (Map.Entry<Integer, WatchedObjects.OfClass> entry : watched.classes.entrySet()) {
      WatchedObjects.OfClass known = entry.getValue();
      if (known.births > 0) {
        classId.add(entry.getKey());
        objects.add(known.births);
        partlyRead.add(known.count(READ, SOME << 2));
        fullyRead.add(known.count(READ, ALL << 2));
        partlyWritten.add(known.count(WRITE, SOME << 4));
        fullyWritten.add(known.count(WRITE, ALL << 4));
        table.endRow();
      }
    }
    table.finish();
  }
}
