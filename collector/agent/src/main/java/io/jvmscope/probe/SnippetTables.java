package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.ALLOCATED;
import static jdk.internal.perf.ArenaLayout.FAILURE_LOST;
import static jdk.internal.perf.ArenaLayout.FIRST_STATE;
import static jdk.internal.perf.ArenaLayout.FLAGS;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.ROOT_STATES_SLOT;
import static jdk.internal.perf.ArenaLayout.TABLE;
import static jdk.internal.perf.ArenaLayout.TABLE_CAPACITY;
import static jdk.internal.perf.ArenaLayout.TABLE_LINKS;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.Methods;
import io.jvmscope.arena.ThreadRoot;
import io.jvmscope.probe.Snippets.OwnTable;
import io.jvmscope.tables.Column;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import io.jvmscope.tables.TextColumn;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes what snippets counted: {@code probe_count}, and the tables {@code probe_table}, whose
 * definitions give its rows their meaning, and {@code probe_failure}.
 */
final class SnippetTables implements ProbeTables {
  /** Columns for the values of keys that are neither places nor classes. */
  static final int MOST_VALUES = 4;

  private static final int UNKNOWN = -1;
  private static final int MOST_PENDING = 256;

  /** What is counted in a context: instruction and class are null or a key, the rest is text. */
  private record Row(
      String table, String counter, Integer instruction, Integer classId, byte[][] values) {
    static final Comparator<Integer> NUMBERS = Comparator.nullsFirst(Comparator.naturalOrder());
    static final Comparator<byte[]> TEXTS = Comparator.nullsFirst(Arrays::compareUnsigned);

    static int compare(Row one, Row other) {
      int order = one.table.compareTo(other.table);
      order = order != 0 ? order : one.counter.compareTo(other.counter);
      order = order != 0 ? order : NUMBERS.compare(one.instruction, other.instruction);
      order = order != 0 ? order : NUMBERS.compare(one.classId, other.classId);
      return order != 0 ? order : Arrays.compare(one.values, other.values, TEXTS);
    }
  }

  private final Recording recording;
  private final Arena arena;
  private final Methods methods;
  private final Snippets probe;
  private final int share;
  private final List<SnippetLog.Key> keys;
  private final String[] columnOf; // by counter
  private final SnippetEnds ends; // null: nothing runs at the end
  private final List<Pending> pending = new ArrayList<>();
  private Map<Integer, Long> ofThread = Map.of();
  private final Map<List<String>, Long> failures = new TreeMap<>(SnippetTables::compareTexts);

  private final Int32Column context = new Int32Column("context_id");
  private final TextColumn tableName = new TextColumn("table_name");
  private final TextColumn counter = new TextColumn("counter");
  private final Int32Column instruction = new Int32Column("instruction_id");
  private final Int32Column classId = new Int32Column("class_id");
  private final TextColumn[] values = new TextColumn[MOST_VALUES];
  private final Int64Column events = new Int64Column("n_events");
  private final Table table;

  SnippetTables(Recording recording, Snippets probe) throws IOException {
    this.recording = recording;
    this.probe = probe;
    arena = recording.arena();
    methods = recording.methods();
    share = recording.indexOf(probe);
    keys = SnippetLog.read(recording.raw());
    columnOf = probe.counters();
    for (int k = 0; k < columnOf.length; k++) {
      columnOf[k] = columnOf[k].substring(columnOf[k].indexOf('.') + 1);
    }
    ends = SnippetEnds.of(probe);
    List<Column> columns = new ArrayList<>();
    columns.addAll(List.of(context, tableName, counter, instruction, classId));
    for (int k = 0; k < MOST_VALUES; k++) {
      values[k] = new TextColumn("key_" + "abcd".charAt(k));
      columns.add(values[k]);
    }
    columns.add(events);
    table = new Table(recording.out(), "probe_count", columns.toArray(new Column[0]));
  }

  private static int compareTexts(List<String> one, List<String> other) {
    int order = 0;
    for (int k = 0; k < one.size() && order == 0; k++) {
      order =
          Arrays.compareUnsigned(
              one.get(k).getBytes(StandardCharsets.UTF_8),
              other.get(k).getBytes(StandardCharsets.UTF_8));
    }
    return order;
  }

  /** Rows of a context that wait for what methods at the end count in it. */
  private record Pending(
      int id, Place place, Map<Row, Long> rows, boolean isKept, EndedContext ended) {}

  /** Where a context's instructions begin in their table, and how many there are. */
  private record Place(int firstInstruction, int instructions) {}

  /** What is said of one thing that a slot has: a key's number, or that of a state, and a value. */
  @FunctionalInterface
  private interface Entries {
    void add(int number, long value);
  }

  @Override
  public void open(ThreadRoot root, int contextId) throws IOException {
    if (ends == null) {
      return;
    }
    Map<Integer, Long> states = new HashMap<>();
    each(
        root.address() + Arena.slot(ROOT_STATES_SLOT),
        (number, value) -> states.put(number - FIRST_STATE, value));
    ofThread = states;
    if (!states.isEmpty()) {
      EndedContext ended = new EndedContext(probe, true, Map.of(), states);
      await(new Pending(contextId, new Place(0, 0), rows(), true, ended));
    }
  }

  @Override
  public void write(ContextNode node) throws IOException {
    int[] packed = methods.packed();
    int at = methods.share(methods.layout(node.method), share);
    if (packed[at] == 0) {
      return;
    }
    Place place = new Place(packed[at + 2], packed[at + 3]);
    Map<Row, Long> rows = rows();
    Map<Integer, Long> states = new HashMap<>();
    each(
        node.address + Arena.slot(packed[at + 1]),
        (number, value) -> {
          if (number >= FIRST_STATE) {
            states.put(number - FIRST_STATE, value);
          } else {
            add(number, value, place, rows);
          }
        });
    if (ends == null) {
      write(node.id, rows);
    } else {
      boolean isKept = !rows.isEmpty() || !states.isEmpty();
      await(
          new Pending(
              node.id, place, rows, isKept, new EndedContext(probe, false, states, ofThread)));
    }
  }

  private static Map<Row, Long> rows() {
    return new TreeMap<>(Row::compare);
  }

  /** Goes through what is kept at a slot. */
  private void each(long slot, Entries entries) {
    long steps = 0;
    for (int link = arena.child(slot); link != 0; ) {
      long entry = Arena.address(link);
      if (arena.getInt(entry + METHOD) == TABLE) {
        int capacity = arena.getInt(entry + TABLE_CAPACITY);
        for (int k = 0; k < capacity; k++) {
          int held = arena.getInt(entry + TABLE_LINKS + 4L * k);
          if (held != 0) {
            long address = Arena.address(held);
            entries.add(arena.getInt(address + METHOD), arena.getLong(address + ALLOCATED));
          }
        }
      } else {
        entries.add(arena.getInt(entry + METHOD), arena.getLong(entry + ALLOCATED));
      }
      link = arena.next(entry, ++steps);
    }
  }

  /** Adds what is counted under a key. */
  private void add(int number, long count, Place place, Map<Row, Long> rows) {
    if (number < 1 || number > keys.size() || count == 0) {
      return; // a VM that was killed may not have noted the last key
    }
    SnippetLog.Key key = keys.get(number - 1);
    if (key.counter() < 0) {
      Snippet failed = probe.snippets().get(-1 - key.counter());
      fail(nameOf(failed), (String) key.values()[0], count);
    } else {
      add(key, count, place, rows);
    }
  }

  private void add(SnippetLog.Key key, long count, Place place, Map<Row, Long> rows) {
    Row row = row(key, place.firstInstruction, place.instructions);
    if (row != null) {
      rows.merge(row, count, Long::sum);
    } else {
      String named = probe.counters()[key.counter()];
      fail(named, "place outside of the method, or class that was not logged", count);
    }
  }

  private static String nameOf(Snippet snippet) {
    return snippet.owner() + "." + snippet.method();
  }

  private void fail(String name, String why, long count) {
    failures.merge(List.of(name, why), count, Long::sum);
  }

  /** Has the methods at the end run for contexts, many at a time; only those with data wait. */
  private void await(Pending context) throws IOException {
    if (context.isKept) {
      pending.add(context);
      if (pending.size() == MOST_PENDING) {
        writePending();
      }
    }
  }

  private void writePending() throws IOException {
    List<EndedContext> run;
    try {
      run = pending.isEmpty() ? List.of() : ends.run(pending.stream().map(Pending::ended).toList());
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    for (int k = 0; k < run.size(); k++) {
      for (EndedContext.Failure failure : run.get(k).failed()) {
        fail(nameOf(failure.snippet()), failure.exception(), 1);
      }
      for (EndedContext.Added added : run.get(k).added()) {
        add(added.key(), added.count(), pending.get(k).place, pending.get(k).rows);
      }
    }
    for (Pending context : pending) {
      write(context.id, context.rows);
    }
    pending.clear();
  }

  private void write(int id, Map<Row, Long> rows) throws IOException {
    for (Map.Entry<Row, Long> row : rows.entrySet()) {
      write(id, row.getKey(), row.getValue());
    }
  }

  private Row row(SnippetLog.Key key, int firstInstruction, int instructions) {
    OwnTable own = probe.tableOf(key.counter());
    String kinds = own.kinds();
    Integer place = null;
    Integer type = null;
    byte[][] texts = new byte[MOST_VALUES][];
    int n = 0;
    for (int k = 0; k < kinds.length(); k++) {
      Object value = key.values()[k];
      switch (Character.toLowerCase(kinds.charAt(k))) {
        case 's' -> {
          long index = value == null ? UNKNOWN : (Long) value;
          if (value != null && (index < 0 || index >= instructions)) {
            return null;
          }
          place = value == null ? null : firstInstruction + (int) index;
        }
        case 'c' -> {
          int found =
              value == null ? UNKNOWN : recording.classes().find((int) (long) (Long) value, -1);
          if (value != null && found < 0) {
            return null;
          }
          type = value == null ? null : found;
        }
        default ->
            texts[n++] = value == null ? null : value.toString().getBytes(StandardCharsets.UTF_8);
      }
    }
    return new Row(own.name(), columnOf[key.counter()], place, type, texts);
  }

  private void write(int id, Row row, long count) throws IOException {
    context.add(id);
    tableName.add(row.table());
    counter.add(row.counter());
    addOrNull(instruction, row.instruction());
    addOrNull(classId, row.classId());
    for (int k = 0; k < MOST_VALUES; k++) {
      values[k].addUtf8(row.values()[k]);
    }
    events.add(count);
    table.endRow();
  }

  private static void addOrNull(Int32Column column, Integer value) {
    if (value == null) {
      column.addNull();
    } else {
      column.add(value);
    }
  }

  @Override
  public void finish() throws IOException {
    writePending();
    table.finish();
    writeDefinitions();
    writeFailures();
  }

  private void writeDefinitions() throws IOException {
    TextColumn name = new TextColumn("name");
    TextColumn ddl = new TextColumn("ddl");
    Table definitions = new Table(recording.out(), "probe_table", name, ddl);
    for (OwnTable own : probe.tables()) {
      name.add(own.name());
      ddl.add(Snippets.ddl(own));
      definitions.endRow();
    }
    definitions.finish();
  }

  private void writeFailures() throws IOException {
    if ((arena.getInt(FLAGS) & FAILURE_LOST) != 0) {
      fail("*", "some failed with too little stack or memory left to say which", 1);
    }
    TextColumn snippet = new TextColumn("snippet");
    TextColumn exception = new TextColumn("exception");
    Int64Column count = new Int64Column("n_failures");
    Table table = new Table(recording.out(), "probe_failure", snippet, exception, count);
    for (Map.Entry<List<String>, Long> failure : failures.entrySet()) {
      snippet.add(failure.getKey().get(0));
      exception.add(failure.getKey().get(1));
      count.add(failure.getValue());
      table.endRow();
    }
    table.finish();
  }
}
