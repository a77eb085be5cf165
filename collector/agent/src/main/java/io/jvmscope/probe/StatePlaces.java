package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.HASHED_OBJECTS;
import static jdk.internal.perf.ArenaLayout.HASH_BINS;
import static jdk.internal.perf.ArenaLayout.HASH_KINDS;
import static jdk.internal.perf.ArenaLayout.LOCKED_OBJECTS;
import static jdk.internal.perf.ArenaLayout.OPERATION_BINS;

import io.jvmscope.classfile.Unwatched;
import io.jvmscope.probe.ObjectTypes.Type;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Table;
import io.jvmscope.tables.TextColumn;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Writes table {@code state_place}: where the recording kept what it knows of objects, and why. */
final class StatePlaces {
  private static final String FIELD = "hidden field";
  private static final String TABLE = "table of weak references";
  private static final String NOWHERE = "nowhere";

  private final Recording recording;
  private final Int32Column classId = new Int32Column("class_id");
  private final TextColumn typeName = new TextColumn("type");
  private final TextColumn state = new TextColumn("state");
  private final TextColumn place = new TextColumn("place");
  private final TextColumn reason = new TextColumn("reason");

  private StatePlaces(Recording recording) {
    this.recording = recording;
  }

  /** Writes the table, if the probe is the first of those whose states it is about. */
  static void writeFor(Probe probe, Recording recording) throws IOException {
    for (Probe known : recording.probes()) {
      if (known instanceof FieldStates || known instanceof Locking || known instanceof HashCodes) {
        if (known == probe) {
          new StatePlaces(recording).write();
        }
        return;
      }
    }
  }

  private void write() throws IOException {
    Map<Type, Boolean> fields = new TreeMap<>(UsedObjects.ORDER);
    if (recording.followsFields()) {
      addFields(fields);
    }
    Map<Type, UsedObjects.OfType> used = UsedObjects.read(recording);
    Set<Type> all = new TreeSet<>(UsedObjects.ORDER);
    all.addAll(fields.keySet());
    all.addAll(used.keySet());
    Table table =
        new Table(recording.out(), "state_place", classId, typeName, state, place, reason);
    for (Type type : all) {
      UsedObjects.OfType use = used.get(type);
      if (fields.containsKey(type)) {
        add(table, type, "fields", fields.get(type), NOWHERE);
      }
      if (use != null && use.sum(HASHED_OBJECTS, HASH_KINDS * HASH_BINS) > 0) {
        add(table, type, "hash codes", use.hasHashWord(), TABLE);
      }
      if (use != null && use.sum(LOCKED_OBJECTS, OPERATION_BINS) > 0) {
        add(table, type, "locks", use.hasLockWord(), TABLE);
      }
    }
    table.finish();
  }

  /** Whether objects have words for the fields, of all classes in {@code watched_class}. */
  private void addFields(Map<Type, Boolean> fields) {
    WatchedObjects watched = recording.watched();
    for (int id = 0; id < recording.fields().classCount(); id++) {
      WatchedObjects.OfClass known = watched.classes.get(id);
      if (known != null || unwatched(id) != null) {
        Type type = recording.objects().types().get(recording.classes().typeOfClass(id));
        fields.put(type, known != null && known.hasWords);
      }
    }
  }

  private void add(Table table, Type type, String what, boolean isInside, String otherwise)
      throws IOException {
    classId.addId(type.classId());
    typeName.add(type.name());
    state.add(what);
    place.add(isInside ? FIELD : otherwise);
    reason.add(isInside ? null : reason(type));
    table.endRow();
  }

  private String reason(Type type) {
    if (type.name().startsWith("[")) {
      return "arrays have no fields";
    }
    String known = type.classId() < 0 ? null : unwatched(type.classId());
    return known == null ? Unwatched.LOADED_EARLY : known;
  }

  private String unwatched(int classId) {
    String why = recording.fields().unwatched(classId);
    return why == null ? recording.fields().wordless(classId) : why;
  }
}
