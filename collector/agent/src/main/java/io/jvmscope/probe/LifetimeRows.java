package io.jvmscope.probe;

import io.jvmscope.probe.ObjectTypes.Type;
import io.jvmscope.tables.Column;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import io.jvmscope.tables.TextColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Adds up objects that are alike, and writes the tables of the probe {@code lifetimes}. */
final class LifetimeRows {
  /** Binary digits of a lifetime that are kept; see the table. */
  private static final int DIGITS = 8;

  private static final long NOT_DEAD = Long.MAX_VALUE;
  private static final Type UNKNOWN = new Type("", -1);

  /** Objects that one instruction made in one context, and a number that they share. */
  private record Like(int context, int instruction, Type type, long measure) {}

  /** Adds what one table has of objects that are alike. */
  private interface Measure {
    void add(Like like, long[] sums);
  }

  private static final Comparator<Like> ORDER =
      Comparator.comparingInt(Like::context)
          .thenComparing(like -> like.instruction, Integer::compareUnsigned)
          .thenComparing(like -> like.type.name())
          .thenComparing(like -> like.type.classId(), Integer::compareUnsigned)
          .thenComparing(like -> like.measure, Long::compareUnsigned);

  private static final Comparator<Type> TYPE_ORDER =
      Comparator.comparing(Type::name).thenComparing(Type::classId, Integer::compareUnsigned);

  private final Recording recording;
  private final ContextPaths paths;
  private final Map<Like, long[]> lifetimes = new TreeMap<>(ORDER);
  private final Map<Like, long[]> distances = new TreeMap<>(ORDER);
  private final PresenceRows presence = new PresenceRows();
  private final Map<Type, long[]> unseen = new TreeMap<>(TYPE_ORDER);

  LifetimeRows(Recording recording, ContextPaths paths) {
    this.recording = recording;
    this.paths = paths;
  }

  /** An object died when the clock stood at {@code died}, below the context of a node. */
  void died(HeapObject object, long died, int deathLink) {
    if (object.isFound) {
      return;
    }
    int context = paths.find(object.context);
    if (context >= 0) {
      long bytes = died - object.born;
      presence.born(context, object.born, object.bytes);
      presence.died(context, died, object.bytes);
      long[] sums = add(lifetimes, object, context, roundUp(bytes));
      sums[1] += bytes;
      int distance = paths.distance(context, paths.find(deathLink));
      add(distances, object, context, distance < 0 ? NOT_DEAD : distance);
    }
  }

  void stayed(HeapObject object) {
    int context = object.isFound ? -1 : paths.find(object.context);
    if (context >= 0) {
      presence.born(context, object.born, object.bytes);
      add(lifetimes, object, context, NOT_DEAD);
    }
  }

  private long[] add(Map<Like, long[]> rows, HeapObject object, int context, long measure) {
    Like like = new Like(context, object.site, type(object.type), measure);
    long[] sums = rows.computeIfAbsent(like, k -> new long[2]);
    sums[0]++;
    return sums;
  }

  /** An object whose allocation was not seen. */
  void found(int type) {
    unseen.computeIfAbsent(type(type), k -> new long[2])[0]++;
  }

  /** An object that was allocated, but not constructed. */
  void unconstructed(int type) {
    unseen.computeIfAbsent(type(type), k -> new long[2])[1]++;
  }

  private Type type(int number) {
    return number < 0 ? UNKNOWN : recording.objects().types().get(number);
  }

  /** The least number with few binary digits, but for zeros behind them, that is not less. */
  static long roundUp(long bytes) {
    int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(bytes) - DIGITS);
    return bytes + (1L << shift) - 1 >>> shift << shift;
  }

  void write() throws IOException {
    noteUnlogged();
    writeLifetimes();
    writeDistances();
    presence.write(recording.out());
    writeUnseen();
  }

  private void noteUnlogged() {
    noteUnlogged("object_lifetime", lifetimes);
    noteUnlogged("object_churn", distances);
    long[] unknown = unseen.getOrDefault(UNKNOWN, new long[2]);
    recording.unlogged().note("unfollowed_object", unknown[0] + unknown[1]);
  }

  private void noteUnlogged(String table, Map<Like, long[]> rows) {
    long count = 0;
    for (Map.Entry<Like, long[]> row : rows.entrySet()) {
      count += row.getKey().type.equals(UNKNOWN) ? row.getValue()[0] : 0;
    }
    recording.unlogged().note(table, count);
  }

  private void writeLifetimes() throws IOException {
    Int64Column lifetime = new Int64Column("lifetime_bytes");
    Int64Column sum = new Int64Column("sum_lifetime_bytes");
    Measure measure =
        (like, sums) -> {
          boolean isDead = like.measure != NOT_DEAD;
          lifetime.addOrNull(isDead ? like.measure : -1);
          sum.addOrNull(isDead ? sums[1] : -1);
        };
    write("object_lifetime", lifetimes, measure, lifetime, sum);
  }

  private void writeDistances() throws IOException {
    Int32Column distance = new Int32Column("distance");
    Measure measure =
        (like, sums) -> distance.addId(like.measure == NOT_DEAD ? -1 : (int) like.measure);
    write("object_churn", distances, measure, distance);
  }

  /** Writes a row for objects that are alike: where they were made, the columns, their number. */
  private void write(String name, Map<Like, long[]> rows, Measure measure, Column... columns)
      throws IOException {
    Place place = new Place();
    Int64Column objects = new Int64Column("n_objects");
    List<Column> all =
        new ArrayList<>(List.of(place.context, place.instruction, place.typeName, place.classId));
    all.addAll(List.of(columns));
    all.add(objects);
    Table table = new Table(recording.out(), name, all.toArray(new Column[0]));
    for (Map.Entry<Like, long[]> row : rows.entrySet()) {
      place.add(row.getKey());
      measure.add(row.getKey(), row.getValue());
      objects.add(row.getValue()[0]);
      table.endRow();
    }
    table.finish();
  }

  private void writeUnseen() throws IOException {
    TextColumn typeName = new TextColumn("type");
    Int32Column classId = new Int32Column("class_id");
    Int64Column found = new Int64Column("n_found");
    Int64Column unconstructed = new Int64Column("n_unconstructed");
    Table table =
        new Table(recording.out(), "unfollowed_object", typeName, classId, found, unconstructed);
    for (Map.Entry<Type, long[]> row : unseen.entrySet()) {
      typeName.add(row.getKey().name());
      classId.addId(row.getKey().classId());
      found.add(row.getValue()[0]);
      unconstructed.add(row.getValue()[1]);
      table.endRow();
    }
    table.finish();
  }

  /** Where objects were made, and of which type. */
  private static final class Place {
    final Int32Column context = new Int32Column("context_id");
    final Int32Column instruction = new Int32Column("instruction_id");
    final TextColumn typeName = new TextColumn("type");
    final Int32Column classId = new Int32Column("class_id");

    void add(Like like) {
      context.add(like.context);
      instruction.addId(like.instruction);
      typeName.add(like.type.name());
      classId.addId(like.type.classId());
    }
  }
}
