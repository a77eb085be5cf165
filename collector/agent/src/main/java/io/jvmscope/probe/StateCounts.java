package io.jvmscope.probe;

import io.jvmscope.tables.Column;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import java.io.IOException;
import java.util.Map;

/** Writes tables of how many watched objects are in which state, a row for each field or class. */
final class StateCounts {
  /** Objects whose state has a value in the bits of a mask. */
  record InState(String column, int mask, int value) {}

  private StateCounts() {}

  /** A row for each field that watched objects have, by the state of the field. */
  static void writeFields(Recording recording, String name, InState... states) throws IOException {
    write(recording, name, "field_id", recording.watched().fields, states);
  }

  /** A row for each class with watched objects, by the state of the object. */
  static void writeClasses(Recording recording, String name, InState... states) throws IOException {
    write(recording, name, "class_id", recording.watched().classes, states);
  }

  private static void write(
      Recording recording,
      String name,
      String key,
      Map<Integer, ? extends WatchedObjects.Group> groups,
      InState[] states)
      throws IOException {
    Int32Column keys = new Int32Column(key);
    Int64Column objects = new Int64Column("n_objects");
    Int64Column[] counts = new Int64Column[states.length];
    Column[] columns = new Column[2 + states.length];
    columns[0] = keys;
    columns[1] = objects;
    for (int k = 0; k < states.length; k++) {
      counts[k] = new Int64Column(states[k].column);
      columns[2 + k] = counts[k];
    }
    Table table = new Table(recording.out(), name, columns);
    for (Map.Entry<Integer, ? extends WatchedObjects.Group> entry : groups.entrySet()) {
      WatchedObjects.Group group = entry.getValue();
      if (group.objects() > 0) {
        keys.add(entry.getKey());
        objects.add(group.objects());
        for (int k = 0; k < states.length; k++) {
          counts[k].add(group.count(states[k].mask, states[k].value));
        }
        table.endRow();
      }
    }
    table.finish();
  }
}
