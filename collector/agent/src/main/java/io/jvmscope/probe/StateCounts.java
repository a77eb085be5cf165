package io.jvmscope.probe;

import io.jvmscope.probe.ObjectTypes.Type;
import io.jvmscope.tables.Column;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import io.jvmscope.tables.TextColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Writes tables of how many objects are in which state: a row for each field or class of watched
 * objects, or for each bin of a type.
 */
final class StateCounts {
  /** Objects whose state has a value in the bits of a mask. */
  record InState(String column, int mask, int value) {}

  /** What a table has of a bin, in the columns behind those of the type. */
  @FunctionalInterface
  interface Bin<T> {
    /** Adds to each column; false, and to none, if the bin has no row. */
    boolean add(T counts, int bin) throws IOException;
  }

  private StateCounts() {}

  /** A row for each field that watched objects have, by the state of the field. */
  static void writeFields(Recording recording, String name, InState... states) throws IOException {
    WatchedObjects watched = recording.watched();
    long unlogged = watched.unloggedFields;
    for (WatchedObjects.OfField field : watched.fields.values()) {
      unlogged += field.objects > 0 ? 0 : field.count(0, 0); // of classes that are not known
    }
    recording.unlogged().note(name, unlogged);
    write(recording, name, "field_id", watched.fields, states);
  }

  /** A row for each class with watched objects, by the state of the object. */
  static void writeClasses(Recording recording, String name, InState... states) throws IOException {
    write(recording, name, "class_id", recording.watched().classes, states);
  }

  /**
   * A row for each bin of each type.
   *
   * @param counts what is known of the types
   * @param bins of each
   * @param columns that a bin adds to, behind class and type
   */
  static <T> void writeBins(
      Recording recording,
      String name,
      Map<Type, T> counts,
      int bins,
      List<Column> columns,
      Bin<T> bin)
      throws IOException {
    Int32Column classId = new Int32Column("class_id");
    TextColumn type = new TextColumn("type");
    List<Column> all = new ArrayList<>(List.of(classId, type));
    all.addAll(columns);
    Table table = new Table(recording.out(), name, all.toArray(new Column[0]));
    for (Map.Entry<Type, T> entry : counts.entrySet()) {
      for (int k = 0; k < bins; k++) {
        if (bin.add(entry.getValue(), k)) {
          classId.addId(entry.getKey().classId());
          type.add(entry.getKey().name());
          table.endRow();
        }
      }
    }
    table.finish();
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
