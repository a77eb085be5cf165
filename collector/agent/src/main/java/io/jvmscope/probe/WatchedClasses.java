package io.jvmscope.probe;

import io.jvmscope.classfile.Unwatched;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import io.jvmscope.tables.TextColumn;
import java.io.IOException;
import java.util.Map;

/** Writes what the states of fields are known of, and why not more: two tables. */
final class WatchedClasses {
  private final Recording recording;
  private final Int32Column classId = new Int32Column("class_id");
  private final Int64Column objects = new Int64Column("n_objects");
  private final Int64Column unseen = new Int64Column("n_unseen_objects");
  private final Int32Column fields = new Int32Column("n_fields");
  private final Int32Column watchedFields = new Int32Column("n_watched_fields");
  private final TextColumn reason = new TextColumn("reason");

  WatchedClasses(Recording recording) {
    this.recording = recording;
  }

  void write() throws IOException {
    writeWatched();
    writeEarly();
  }

  private void writeWatched() throws IOException {
    Table table =
        new Table(
            recording.out(),
            "watched_class",
            classId,
            objects,
            unseen,
            fields,
            watchedFields,
            reason);
    WatchedObjects watched = recording.watched();
    Recording.DeclaredFields declared = recording.fields();
    for (int id = 0; id < declared.classCount(); id++) {
      WatchedObjects.OfClass known = watched.classes.get(id);
      String why = declared.unwatched(id);
      if (why == null && (known == null || !known.hasWords)) {
        why = declared.wordless(id);
        why = why == null && known != null ? Unwatched.LOADED_EARLY : why;
      }
      if (known != null || why != null) {
        classId.add(id);
        objects.add(known == null ? 0 : known.births);
        unseen.add(known == null ? 0 : known.unseen);
        fields.add(fieldsOf(id));
        watchedFields.add(known == null ? 0 : known.fields);
        reason.add(why);
        table.endRow();
      }
    }
    table.finish();
  }

  private void writeEarly() throws IOException {
    Int32Column earlyClass = new Int32Column("class_id");
    Int64Column earlyObjects = new Int64Column("n_objects");
    Table table = new Table(recording.out(), "early_object", earlyClass, earlyObjects);
    for (Map.Entry<Integer, Long> entry : recording.watched().early.entrySet()) {
      earlyClass.add(entry.getKey());
      earlyObjects.add(entry.getValue());
      table.endRow();
    }
    table.finish();
  }

  /** The instance fields of an object, inherited ones too. */
  private int fieldsOf(int id) {
    int count = 0;
    for (int at = id; at >= 0; at = recording.fields().superclass(at)) {
      count += recording.fields().instanceFields(at).length;
    }
    return count;
  }
}
