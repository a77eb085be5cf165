package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.HASHED_OBJECTS;
import static jdk.internal.perf.ArenaLayout.HASH_BINS;
import static jdk.internal.perf.ArenaLayout.HASH_CALLS;
import static jdk.internal.perf.ArenaLayout.HASH_KINDS;

import io.jvmscope.probe.ObjectTypes.Type;
import io.jvmscope.tables.CodeColumn;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import io.jvmscope.tables.TextColumn;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Writes tables {@code object_hash} and {@code hash_calls}. */
final class HashTables {
  /** In the order in which the arena counts them. */
  private static final List<String> KINDS = List.of("overridden", "identity", "default");

  private final Recording recording;
  private final Map<Type, UsedObjects.OfType> used;

  HashTables(Recording recording) {
    this.recording = recording;
    this.used = UsedObjects.read(recording);
  }

  void write() throws IOException {
    writeObjects();
    writeCalls();
  }

  private void writeObjects() throws IOException {
    Int32Column classId = new Int32Column("class_id");
    TextColumn type = new TextColumn("type");
    CodeColumn kinds = new CodeColumn("kind", KINDS);
    Int64Column objects = new Int64Column("n_objects");
    Int64Column calls = new Int64Column("n_calls");
    Table table = new Table(recording.out(), "object_hash", classId, type, kinds, objects, calls);
    for (Map.Entry<Type, UsedObjects.OfType> entry : used.entrySet()) {
      for (int kind = 0; kind < HASH_KINDS; kind++) {
        long count = entry.getValue().count(HASH_CALLS, kind);
        if (count != 0) {
          classId.addId(entry.getKey().classId());
          type.add(entry.getKey().name());
          kinds.add(kind);
          objects.add(entry.getValue().sum(binsOf(kind), HASH_BINS));
          calls.add(count);
          table.endRow();
        }
      }
    }
    table.finish();
  }

  private static int binsOf(int kind) {
    return HASHED_OBJECTS + 8 * HASH_BINS * kind;
  }

  private void writeCalls() throws IOException {
    Int32Column classId = new Int32Column("class_id");
    TextColumn type = new TextColumn("type");
    CodeColumn kinds = new CodeColumn("kind", KINDS);
    Int64Column most = new Int64Column("max_calls");
    Int64Column objects = new Int64Column("n_objects");
    Table table = new Table(recording.out(), "hash_calls", classId, type, kinds, most, objects);
    for (Map.Entry<Type, UsedObjects.OfType> entry : used.entrySet()) {
      for (int kind = 0; kind < HASH_KINDS; kind++) {
        for (int bin = 0; bin < HASH_BINS; bin++) {
          long count = entry.getValue().count(binsOf(kind), bin);
          if (count != 0) {
            classId.addId(entry.getKey().classId());
            type.add(entry.getKey().name());
            kinds.add(kind);
            most.addOrNull(bin == HASH_BINS - 1 ? -1 : 1L << bin);
            objects.add(count);
            table.endRow();
          }
        }
      }
    }
    table.finish();
  }
}
