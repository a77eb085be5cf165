package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.BIRTHS;
import static jdk.internal.perf.ArenaLayout.BIRTH_OFFSET;
import static jdk.internal.perf.ArenaLayout.CATEGORIES;
import static jdk.internal.perf.ArenaLayout.EARLY_CLASSES;
import static jdk.internal.perf.ArenaLayout.EARLY_OBJECTS;
import static jdk.internal.perf.ArenaLayout.FIELD_INDEX;
import static jdk.internal.perf.ArenaLayout.FIELD_OBJECTS;
import static jdk.internal.perf.ArenaLayout.OBJECTS;
import static jdk.internal.perf.ArenaLayout.OTHER_FIELDS;
import static jdk.internal.perf.ArenaLayout.OTHER_OBJECTS;
import static jdk.internal.perf.ArenaLayout.STATES;
import static jdk.internal.perf.ArenaLayout.UNSEEN;
import static jdk.internal.perf.ArenaLayout.WATCHED_CLASS;
import static jdk.internal.perf.ArenaLayout.WATCHED_CLASSES;
import static jdk.internal.perf.ArenaLayout.WATCHED_FIELDS;
import static jdk.internal.perf.ArenaLayout.WATCHED_PREVIOUS;
import static jdk.internal.perf.ArenaLayout.WATCHED_SIZE;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.RecordingDamaged;
import java.util.Map;
import java.util.TreeMap;

/** What the arena knows of the objects of each class, and of the states of their fields. */
final class WatchedObjects {
  private static final int MOST = 1 << 26;

  /** Objects that are counted by state. */
  interface Group {
    /** All of them. */
    long objects();

    /** Those that have some of the bits of a state at some value. */
    long count(int mask, int value);
  }

  /** What is known of the objects of one class. */
  static final class OfClass implements Group {
    long births;
    long unseen;
    int fields; // of an object, that have words
    boolean hasWords = true;

    /** Objects by category, after the last change of each. */
    final long[] categories = new long[CATEGORIES];

    @Override
    public long objects() {
      return births;
    }

    @Override
    public long count(int mask, int value) {
      long count = (0 & mask) == value ? untouched() : 0;
      for (int category = 1; category < CATEGORIES; category++) {
        count += (category & mask) == value ? categories[category] : 0;
      }
      return count;
    }

    private long untouched() {
      long touched = 0;
      for (int category = 1; category < CATEGORIES; category++) {
        touched += categories[category];
      }
      return births - touched;
    }
  }

  /** What is known of one field. */
  static final class OfField implements Group {
    /** Objects that have the field, those of subclasses too. */
    long objects;

    /** Objects by the state of the field; none are counted whose field was never accessed. */
    final long[] states = new long[STATES];

    @Override
    public long objects() {
      return objects;
    }

    @Override
    public long count(int mask, int value) {
      long count = 0;
      for (int state = 0; state < STATES; state++) {
        count += (state & mask) == value ? states[state] : 0;
      }
      return count;
    }
  }

  /** By key of the class, and by key of the field. */
  final Map<Integer, OfClass> classes = new TreeMap<>();

  final Map<Integer, OfField> fields = new TreeMap<>();

  /** Objects from before objects were watched, by key of the class. */
  final Map<Integer, Long> early = new TreeMap<>();

  /** Objects with accessed fields of classes that are not known, once for each such field. */
  long unloggedFields;

  private final Arena arena;
  private final Recording recording;

  WatchedObjects(Recording recording) {
    this.recording = recording;
    this.arena = recording.arena();
    readClasses();
    readFields();
    readEarly();
  }

  private void readClasses() {
    long unlogged = 0;
    int steps = 0;
    for (long at = first(WATCHED_CLASSES); at != 0; at = next(at, ++steps)) {
      int number = arena.getInt(at + WATCHED_CLASS);
      if (recording.classes().isFromBefore(number)) {
        continue; // its objects are not watched
      }
      int id = recording.classes().find(number, -1);
      if (id < 0) { // a VM that was killed may not have logged the class
        unlogged += count(at + BIRTHS, OTHER_OBJECTS) + count(at + UNSEEN, OTHER_OBJECTS);
      } else {
        OfClass known = classes.computeIfAbsent(id, k -> new OfClass());
        known.births += count(at + BIRTHS, OTHER_OBJECTS);
        known.unseen += count(at + UNSEEN, OTHER_OBJECTS);
        known.fields = arena.getInt(at + WATCHED_SIZE);
        known.hasWords = arena.getInt(at + BIRTH_OFFSET) >= 0;
        for (int k = 0; k < CATEGORIES; k++) {
          known.categories[k] += count(at + OBJECTS + 8L * k, OTHER_OBJECTS);
        }
      }
    }
    recording.unlogged().note("watched_class", unlogged);
    for (Map.Entry<Integer, OfClass> entry : classes.entrySet()) {
      addFields(entry.getKey(), entry.getValue().births);
    }
  }

  private void addFields(int ofClass, long births) {
    Recording.DeclaredFields declared = recording.fields();
    for (int id = ofClass; id >= 0; id = declared.superclass(id)) {
      if (declared.unwatched(id) == null) {
        for (int field : declared.instanceFields(id)) {
          fields.computeIfAbsent(field, k -> new OfField()).objects += births;
        }
      }
    }
  }

  private void readFields() {
    int steps = 0;
    for (long at = first(WATCHED_FIELDS); at != 0; at = next(at, ++steps)) {
      int id = recording.classes().find(arena.getInt(at + WATCHED_CLASS), -1);
      int[] declared = id < 0 ? Probe.NOTHING : recording.fields().instanceFields(id);
      int index = arena.getInt(at + FIELD_INDEX);
      OfField known = new OfField();
      if (index < declared.length) {
        known = fields.computeIfAbsent(declared[index], k -> new OfField());
      }
      for (int k = 0; k < STATES; k++) {
        long objects = count(at + FIELD_OBJECTS + 8L * k, OTHER_FIELDS);
        known.states[k] += objects;
        unloggedFields += index < declared.length ? 0 : objects;
      }
    }
  }

  private void readEarly() {
    long unlogged = 0;
    int steps = 0;
    for (long at = first(EARLY_CLASSES); at != 0; at = next(at, ++steps)) {
      int number = arena.getInt(at + WATCHED_CLASS);
      if (recording.classes().isFromBefore(number)) {
        continue; // nothing names it
      }
      int id = recording.classes().find(number, -1);
      if (id >= 0) {
        early.merge(id, arena.getLong(at + EARLY_OBJECTS), Long::sum);
      } else {
        unlogged += arena.getLong(at + EARLY_OBJECTS);
      }
    }
    recording.unlogged().note("early_object", unlogged);
  }

  /** A count by its owner and by the other threads. */
  private long count(long at, int others) {
    return arena.getLong(at) + arena.getLong(at + others);
  }

  private long first(int list) {
    return Arena.address(arena.getInt(list));
  }

  private long next(long at, int steps) {
    if (steps > MOST) {
      throw new RecordingDamaged("arena: watched objects form a cycle at " + at);
    }
    return Arena.address(arena.getInt(at + WATCHED_PREVIOUS));
  }
}
