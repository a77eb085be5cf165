package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.BLOCK_ENTRIES;
import static jdk.internal.perf.ArenaLayout.DEEPEST;
import static jdk.internal.perf.ArenaLayout.HASHED_OBJECTS;
import static jdk.internal.perf.ArenaLayout.HASH_BINS;
import static jdk.internal.perf.ArenaLayout.HASH_KINDS;
import static jdk.internal.perf.ArenaLayout.HASH_OFFSET;
import static jdk.internal.perf.ArenaLayout.LOCKED_OBJECTS;
import static jdk.internal.perf.ArenaLayout.LOCK_OFFSET;
import static jdk.internal.perf.ArenaLayout.OPERATION_BINS;
import static jdk.internal.perf.ArenaLayout.USED_CLASSES;
import static jdk.internal.perf.ArenaLayout.USE_BYTES;
import static jdk.internal.perf.ArenaLayout.WATCHED_CLASS;
import static jdk.internal.perf.ArenaLayout.WATCHED_PREVIOUS;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.RecordingDamaged;
import io.jvmscope.probe.ObjectTypes.Type;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/** What the arena knows of how the objects of each class were locked and hashed. */
final class UsedObjects {
  private static final int MOST = 1 << 26;

  /** In the order of tables: by class, and what is not known last. */
  static final Comparator<Type> ORDER =
      Comparator.comparing(Type::classId, Integer::compareUnsigned).thenComparing(Type::name);

  /** The objects of a class, or arrays of a type. */
  static final class OfType {
    private final long[] counts = new long[USE_BYTES >> 3];
    private int deepest;
    private boolean hasLockWord;
    private boolean hasHashWord;

    /** The count that the arena has at a distance, and the k-th behind it. */
    long count(int distance, int k) {
      return counts[(distance >> 3) + k];
    }

    /** The sum of some counts from a distance on. */
    long sum(int distance, int n) {
      long sum = 0;
      for (int k = 0; k < n; k++) {
        sum += count(distance, k);
      }
      return sum;
    }

    /** How often a thread had one monitor at most. */
    int deepest() {
      return deepest;
    }

    /** Do objects have the word of their locking in themselves? */
    boolean hasLockWord() {
      return hasLockWord;
    }

    /** Do objects have the word of their hash codes in themselves? */
    boolean hasHashWord() {
      return hasHashWord;
    }

    private void add(Arena arena, long at) {
      hasLockWord = arena.getInt(at + LOCK_OFFSET) >= 0;
      hasHashWord = arena.getInt(at + HASH_OFFSET) >= 0;
      deepest = Math.max(deepest, arena.getInt(at + DEEPEST));
      for (int distance = BLOCK_ENTRIES; distance < USE_BYTES; distance += 8) {
        counts[distance >> 3] += arena.getLong(at + distance);
      }
    }
  }

  private UsedObjects() {}

  /** Reads all of them. */
  static Map<Type, OfType> read(Recording recording) {
    Arena arena = recording.arena();
    Map<Type, OfType> found = new TreeMap<>(ORDER);
    OfType unlogged = new OfType();
    int steps = 0;
    for (long at = link(arena, USED_CLASSES); at != 0; at = link(arena, at + WATCHED_PREVIOUS)) {
      if (++steps > MOST) {
        throw new RecordingDamaged("arena: used objects form a cycle at " + at);
      }
      int number = recording.classes().type(arena.getInt(at + WATCHED_CLASS));
      if (number < 0) { // a VM that was killed may not have logged the class
        unlogged.add(arena, at);
      } else {
        Type type = recording.objects().types().get(number);
        found.computeIfAbsent(type, k -> new OfType()).add(arena, at);
      }
    }
    recording.unlogged().note("object_lock", unlogged.sum(LOCKED_OBJECTS, OPERATION_BINS));
    recording.unlogged().note("object_hash", unlogged.sum(HASHED_OBJECTS, HASH_KINDS * HASH_BINS));
    return found;
  }

  private static long link(Arena arena, long at) {
    return Arena.address(arena.getInt(at));
  }
}
