package io.jvmscope.probe;

import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import java.io.IOException;
import java.util.Map;

/** Which fields and objects stay as their constructors leave them. */
final class Immutability extends NamedProbe {
  // Of a field.
  private static final int MUTABLE = 2;

  // Of an object.
  private static final int KIND = 3;
  private static final int ALL_IMMUTABLE = 2;
  private static final int ONE_MUTABLE = 3;

  Immutability() {
    super("immutability");
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
    Int64Column immutable = new Int64Column("n_immutable");
    Int64Column mutable = new Int64Column("n_mutable");
    Table table =
        new Table(recording.out(), "field_immutability", field, objects, immutable, mutable);
    WatchedObjects watched = recording.watched();
    for (Map.Entry<Integer, WatchedObjects.OfField> entry : watched.fields.entrySet()) {
      WatchedObjects.OfField known = entry.getValue();
      if (known.objects > 0) {
        field.add(entry.getKey());
        objects.add(known.objects);
        immutable.add(known.count(MUTABLE, 0));
        mutable.add(known.count(MUTABLE, MUTABLE));
        table.endRow();
      }
    }
    table.finish();
  }

  private static void writeClasses(Recording recording) throws IOException {
    Int32Column classId = new Int32Column("class_id");
    Int64Column objects = new Int64Column("n_objects");
    Int64Column immutable = new Int64Column("n_immutable");
    Int64Column mutable = new Int64Column("n_mutable");
    Table table =
        new Table(recording.out(), "object_immutability", classId, objects, immutable, mutable);
    WatchedObjects watched = recording.watched();
    for (Map.Entry<Integer, WatchedObjects.OfClass> entry : watched.classes.entrySet()) {
      WatchedObjects.OfClass known = entry.getValue();
      if (known.births > 0) {
        classId.add(entry.getKey());
        objects.add(known.births);
        immutable.add(known.count(KIND, ALL_IMMUTABLE));
        mutable.add(known.count(KIND, ONE_MUTABLE));
        table.endRow();
      }
    }
    table.finish();
  }
}
