package io.jvmscope.probe;

import io.jvmscope.probe.ObjectTypes.Type;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import io.jvmscope.tables.TextColumn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/** Writes table {@code unseen_allocation}: what table {@code allocation} lacks, as far as known. */
final class UnseenAllocations {
  private static final Comparator<Like> ORDER =
      Comparator.<Like, String>comparing(like -> like.type().name())
          .thenComparing(like -> like.type().classId(), Integer::compareUnsigned)
          .thenComparing(Like::maker);

  private record Like(Type type, String maker) {}

  private final Recording recording;
  private final Map<Like, Long> made = new TreeMap<>(ORDER);

  private UnseenAllocations(Recording recording) {
    this.recording = recording;
  }

  /** Writes the table, if the library for native code was there to count. */
  static void write(Recording recording) throws IOException {
    Path path = recording.raw().resolve(UnseenFile.NAME);
    if (Files.exists(path)) {
      new UnseenAllocations(recording).write(UnseenFile.read(path));
    }
  }

  private void write(UnseenFile file) throws IOException {
    for (UnseenFile.Made objects : file.made()) {
      add(objects.maker(), objects.type(), objects.objects());
    }
    add("class", "java/lang/Class", recording.fields().classCount());
    recording.unlogged().note("unseen_allocation", file.lost());
    TextColumn typeName = new TextColumn("type");
    Int32Column classId = new Int32Column("class_id");
    TextColumn maker = new TextColumn("maker");
    Int64Column objects = new Int64Column("n_objects");
    Table table =
        new Table(recording.out(), "unseen_allocation", typeName, classId, maker, objects);
    for (Map.Entry<Like, Long> row : made.entrySet()) {
      typeName.add(row.getKey().type().name());
      classId.addId(row.getKey().type().classId());
      maker.add(row.getKey().maker());
      objects.add(row.getValue());
      table.endRow();
    }
    table.finish();
  }

  private void add(String maker, String name, long objects) {
    if (objects != 0) {
      String element = ObjectTypes.element(name);
      int id = element == null ? -1 : recording.classes().named(element);
      made.merge(new Like(new Type(name, id), maker), objects, Long::sum);
    }
  }
}
