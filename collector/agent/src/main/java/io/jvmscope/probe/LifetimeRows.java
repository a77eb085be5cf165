package io.jvmscope.probe;

import io.jvmscope.probe.ObjectTypes.Type;
import io.jvmscope.tables.Column;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import io.jvmscope.tables.TextColumn;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Adds up objects that are alike, and writes the tables of the probe {@code lifetimes}. */
final class LifetimeRows implements Closeable {
  /** Binary digits of a lifetime that are kept; see the table. */
  private static final int DIGITS = 8;

  private static final long NOT_DEAD = Long.MAX_VALUE;
  private static final long UNKNOWN_DISTANCE = Long.MAX_VALUE;
  private static final Type UNKNOWN = new Type("", -1);

  /** Where the rows of objects that are alike have what. */
  private static final int PLACE = 0; // context, and the instruction in it below

  private static final int TYPE = 1; // number
  private static final int MEASURE = 2; // lifetime or distance
  private static final int KEY = 3;
  private static final int OBJECTS = KEY;
  private static final int BYTES = KEY + 1; // sum of lifetimes

  /** Adds what one table has of objects that are alike. */
  private interface Measure {
    void add(long[] row);
  }

  private static final Comparator<Type> TYPE_ORDER =
      Comparator.comparing(Type::name).thenComparing(Type::classId, Integer::compareUnsigned);

  private final Recording recording;
  private final ContextPaths paths;
  private final SortedSums lifetimes;
  private final SortedSums distances;
  private final PresenceRows presence;
  private final Map<Type, long[]> unseen = new TreeMap<>(TYPE_ORDER);
  private final long[] key = new long[KEY];
  private long unknownLifetimes; // of objects of unknown type
  private long unknownDistances; // likewise

  LifetimeRows(Recording recording, ContextPaths paths) {
    this.recording = recording;
    this.paths = paths;
    Path folder = recording.raw();
    this.lifetimes = new SortedSums(KEY, 2, SortedSums.MOST_ROWS, folder);
    this.distances = new SortedSums(KEY, 1, SortedSums.MOST_ROWS, folder);
    this.presence = new PresenceRows(SortedSums.MOST_ROWS, folder);
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
      int distance = paths.distance(context, paths.find(deathLink));
      addLifetime(object, context, roundUp(bytes), bytes);
      addDistance(object, context, distance < 0 ? UNKNOWN_DISTANCE : distance);
    }
  }

  void stayed(HeapObject object) {
    int context = object.isFound ? -1 : paths.find(object.context);
    if (context >= 0) {
      presence.born(context, object.born, object.bytes);
      addLifetime(object, context, NOT_DEAD, 0);
    }
  }

  private void addLifetime(HeapObject object, int context, long lifetime, long bytes) {
    unknownLifetimes += object.type < 0 ? 1 : 0;
    lifetimes.add(key(object, context, lifetime), 1, bytes);
  }

  private void addDistance(HeapObject object, int context, long distance) {
    unknownDistances += object.type < 0 ? 1 : 0;
    distances.add(key(object, context, distance), 1);
  }

  private long[] key(HeapObject object, int context, long measure) {
    key[PLACE] = (long) context << 32 | object.site & 0xFFFF_FFFFL;
    key[TYPE] = Math.max(-1, object.type);
    key[MEASURE] = measure;
    return key;
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
    recording.unlogged().note("object_lifetime", unknownLifetimes);
    recording.unlogged().note("object_churn", unknownDistances);
    long[] unfollowed = unseen.getOrDefault(UNKNOWN, new long[2]);
    recording.unlogged().note("unfollowed_object", unfollowed[0] + unfollowed[1]);
  }

  private void writeLifetimes() throws IOException {
    Int64Column lifetime = new Int64Column("lifetime_bytes");
    Int64Column sum = new Int64Column("sum_lifetime_bytes");
    Measure measure =
        row -> {
          boolean isDead = row[MEASURE] != NOT_DEAD;
          lifetime.addOrNull(isDead ? row[MEASURE] : -1);
          sum.addOrNull(isDead ? row[BYTES] : -1);
        };
    write("object_lifetime", lifetimes, measure, lifetime, sum);
  }

  private void writeDistances() throws IOException {
    Int32Column distance = new Int32Column("distance");
    Measure measure =
        row -> distance.addId(row[MEASURE] == UNKNOWN_DISTANCE ? -1 : (int) row[MEASURE]);
    write("object_churn", distances, measure, distance);
  }

  private void write(String name, SortedSums rows, Measure measure, Column... columns)
      throws IOException {
    Writer writer = new Writer(name, measure, columns);
    rows.forEach(writer);
    writer.finish();
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

  /**
   * Writes a row for objects that are alike: where they were made, their type, the columns, their
   * number. Rows come by the numbers of types, and are written by their names.
   */
  private final class Writer implements SortedSums.Taker {
    private final Int32Column context = new Int32Column("context_id");
    private final Int32Column instruction = new Int32Column("instruction_id");
    private final TextColumn typeName = new TextColumn("type");
    private final Int32Column classId = new Int32Column("class_id");
    private final Int64Column objects = new Int64Column("n_objects");
    private final Measure measure;
    private final Table table;
    private final List<long[]> ofPlace = new ArrayList<>();

    Writer(String name, Measure measure, Column... columns) throws IOException {
      this.measure = measure;
      List<Column> all = new ArrayList<>(List.of(context, instruction, typeName, classId));
      all.addAll(List.of(columns));
      all.add(objects);
      this.table = new Table(recording.out(), name, all.toArray(new Column[0]));
    }

    @Override
    public void take(long[] row) throws IOException {
      if (!ofPlace.isEmpty() && ofPlace.get(0)[PLACE] != row[PLACE]) {
        writePlace();
      }
      ofPlace.add(row);
    }

    private void writePlace() throws IOException {
      ofPlace.sort(Comparator.comparing(row -> type((int) row[TYPE]), TYPE_ORDER));
      for (long[] row : ofPlace) {
        Type type = type((int) row[TYPE]);
        context.add((int) (row[PLACE] >>> 32));
        instruction.addId((int) row[PLACE]);
        typeName.add(type.name());
        classId.addId(type.classId());
        measure.add(row);
        objects.add(row[OBJECTS]);
        table.endRow();
      }
      ofPlace.clear();
    }

    void finish() throws IOException {
      writePlace();
      table.finish();
    }
  }

  @Override
  public void close() throws IOException {
    lifetimes.close();
    distances.close();
    presence.close();
  }
}
