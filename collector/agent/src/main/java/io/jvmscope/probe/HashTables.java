package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.HASHED_OBJECTS;
import static jdk.internal.perf.ArenaLayout.HASH_BINS;
import static jdk.internal.perf.ArenaLayout.HASH_CALLS;
import static jdk.internal.perf.ArenaLayout.HASH_KINDS;

import io.jvmscope.probe.ObjectTypes.Type;
import io.jvmscope.tables.CodeColumn;
import io.jvmscope.tables.Int64Column;
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
    CodeColumn kinds = new CodeColumn("kind", KINDS);
    Int64Column objects = new Int64Column("n_objects");
    Int64Column calls = new Int64Column("n_calls");
    StateCounts.writeBins(
        recording,
        "object_hash",
        used,
        HASH_KINDS,
        List.of(kinds, objects, calls),
        (known, kind) -> {
          long count = known.count(HASH_CALLS, kind);
          if (count != 0) {
            kinds.add(kind);
            objects.add(known.sum(HASHED_OBJECTS + 8 * HASH_BINS * kind, HASH_BINS));
            calls.add(count);
          }
          return count != 0;
        });
  }

  private void writeCalls() throws IOException {
    CodeColumn kinds = new CodeColumn("kind", KINDS);
    Int64Column most = new Int64Column("max_calls");
    Int64Column objects = new Int64Column("n_objects");
    StateCounts.writeBins(
        recording,
        "hash_calls",
        used,
        HASH_KINDS * HASH_BINS,
        List.of(kinds, most, objects),
        (known, k) -> {
          long count = known.count(HASHED_OBJECTS, k);
          if (count != 0) {
            int bin = k % HASH_BINS;
            kinds.add(k / HASH_BINS);
            most.addOrNull(bin == HASH_BINS - 1 ? -1 : 1L << bin);
            objects.add(count);
          }
          return count != 0;
        });
  }
}
