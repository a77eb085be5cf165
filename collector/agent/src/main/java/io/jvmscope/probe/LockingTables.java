package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.BLOCK_ENTRIES;
import static jdk.internal.perf.ArenaLayout.DEPTHS;
import static jdk.internal.perf.ArenaLayout.LOCKED_OBJECTS;
import static jdk.internal.perf.ArenaLayout.METHOD_ENTRIES;
import static jdk.internal.perf.ArenaLayout.NESTED_ENTRIES;
import static jdk.internal.perf.ArenaLayout.NESTED_OBJECTS;
import static jdk.internal.perf.ArenaLayout.NOTIFICATIONS;
import static jdk.internal.perf.ArenaLayout.OPERATION_BINS;
import static jdk.internal.perf.ArenaLayout.SEVERAL_LOCKERS;
import static jdk.internal.perf.ArenaLayout.WAITS;

import io.jvmscope.probe.ObjectTypes.Type;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Writes tables {@code object_lock}, {@code lock_operations} and {@code lock_depth}. */
final class LockingTables {
  private final Recording recording;
  private final Map<Type, UsedObjects.OfType> used;

  LockingTables(Recording recording) {
    this.recording = recording;
    this.used = UsedObjects.read(recording);
    used.values().removeIf(known -> known.sum(LOCKED_OBJECTS, OPERATION_BINS) == 0);
  }

  void write() throws IOException {
    writeObjects();
    writeOperations();
    writeDepths();
  }

  private void writeObjects() throws IOException {
    Int64Column objects = new Int64Column("n_objects");
    Int64Column shared = new Int64Column("n_shared_objects");
    Int64Column blocks = new Int64Column("n_block_entries");
    Int64Column methods = new Int64Column("n_method_entries");
    Int64Column waits = new Int64Column("n_waits");
    Int64Column notifications = new Int64Column("n_notifications");
    Int32Column depth = new Int32Column("max_depth");
    StateCounts.writeBins(
        recording,
        "object_lock",
        used,
        1,
        List.of(objects, shared, blocks, methods, waits, notifications, depth),
        (known, only) -> {
          objects.add(known.sum(LOCKED_OBJECTS, OPERATION_BINS));
          shared.add(known.count(SEVERAL_LOCKERS, 0));
          blocks.add(known.count(BLOCK_ENTRIES, 0));
          methods.add(known.count(METHOD_ENTRIES, 0));
          waits.add(known.count(WAITS, 0));
          notifications.add(known.count(NOTIFICATIONS, 0));
          depth.add(known.deepest());
          return true;
        });
  }

  private void writeOperations() throws IOException {
    Int64Column most = new Int64Column("max_operations");
    Int64Column objects = new Int64Column("n_objects");
    StateCounts.writeBins(
        recording,
        "lock_operations",
        used,
        OPERATION_BINS,
        List.of(most, objects),
        (known, bin) -> {
          long count = known.count(LOCKED_OBJECTS, bin);
          if (count != 0) {
            most.add(1L << bin);
            objects.add(count);
          }
          return count != 0;
        });
  }

  private void writeDepths() throws IOException {
    Int32Column depth = new Int32Column("depth");
    Int64Column objects = new Int64Column("n_objects");
    Int64Column entries = new Int64Column("n_entries");
    StateCounts.writeBins(
        recording,
        "lock_depth",
        used,
        DEPTHS,
        List.of(depth, objects, entries),
        (known, k) -> {
          long reached = known.count(NESTED_ENTRIES, k);
          if (reached != 0) {
            depth.add(k + 1);
            objects.add(known.count(NESTED_OBJECTS, k));
            entries.add(reached);
          }
          return reached != 0;
        });
  }
}
