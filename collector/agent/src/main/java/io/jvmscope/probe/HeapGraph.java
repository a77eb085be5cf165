package io.jvmscope.probe;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The objects that may be reachable, as the log is read from its start. When they have doubled,
 * those that nothing refers to any more are dropped. An object dies when a root referred to it
 * last, or with an object that refers to it: so those that died are taken in the order of their
 * last stamps, the latest first, and each takes along all that it refers to (Merlin: Hertz,
 * Blackburn, Moss, McKinley and Stefanović, 2002).
 */
final class HeapGraph {
  private static final int LEAST = 1 << 16;

  /** Takes objects that have died. */
  interface Deaths {
    /** An object died; {@code stamp} is the clock, and below the context. */
    void died(HeapObject object, long stamp);
  }

  private HeapObject[] objects = new HeapObject[1 << 12]; // by number, open addressing
  private int count;
  private int limit = LEAST;

  /** Is it time to collect? */
  boolean isFull() {
    return count >= limit;
  }

  void add(HeapObject object) {
    if (2 * (count + 1) > objects.length) {
      rehash(2 * objects.length);
    }
    objects[slot(object.number)] = object;
    count++;
  }

  /** The object of a number; null if there is none, or it is dead. */
  HeapObject get(int number) {
    return number == 0 ? null : objects[slot(number)];
  }

  private int slot(int number) {
    int mask = objects.length - 1;
    int at = number * 0x9E3779B9 >>> 4 & mask;
    while (objects[at] != null && objects[at].number != number) {
      at = at + 1 & mask;
    }
    return at;
  }

  private void rehash(int length) {
    HeapObject[] old = objects;
    objects = new HeapObject[length];
    for (HeapObject object : old) {
      if (object != null) {
        objects[slot(object.number)] = object;
      }
    }
  }

  /**
   * Drops what cannot be reached.
   *
   * @param clock objects that were a root later are reachable
   */
  void collect(long clock, Deaths deaths) {
    ArrayDeque<HeapObject> open = new ArrayDeque<>();
    for (HeapObject object : objects) {
      if (object != null && (object.isFound || object.fixed > 0 || object.stamp >>> 32 > clock)) {
        object.isMarked = true;
        open.push(object);
      }
    }
    markFrom(open, null);
    List<HeapObject> dead = new ArrayList<>();
    for (HeapObject object : objects) {
      if (object != null && !object.isMarked) {
        dead.add(object);
      }
    }
    dead.sort((a, b) -> Long.compareUnsigned(b.stamp, a.stamp));
    for (HeapObject object : dead) {
      if (!object.isMarked) {
        long stamp = object.stamp;
        object.isMarked = true;
        open.push(object);
        deaths.died(object, stamp);
        markFrom(open, found -> deaths.died(found, stamp));
      }
    }
    keep(dead);
  }

  /** Takes an object that was reached. */
  private interface Reached {
    void reached(HeapObject object);
  }

  private void markFrom(ArrayDeque<HeapObject> open, Reached reached) {
    while (!open.isEmpty()) {
      HeapObject from = open.pop();
      for (int k = 0; k < from.places(); k++) {
        HeapObject target = get(from.target(k));
        if (target != null && !target.isMarked) {
          target.isMarked = true;
          open.push(target);
          if (reached != null) {
            reached.reached(target);
          }
        }
      }
    }
  }

  private void keep(List<HeapObject> dead) {
    for (HeapObject object : dead) {
      object.isMarked = false;
    }
    HeapObject[] old = objects;
    count -= dead.size();
    int length = LEAST;
    while (length < 4 * count) {
      length *= 2;
    }
    objects = new HeapObject[length];
    for (HeapObject object : old) {
      if (object != null && object.isMarked) {
        object.isMarked = false;
        objects[slot(object.number)] = object;
      }
    }
    limit = Math.max(LEAST, 2 * count);
  }

  /** Takes the objects that are left. */
  void forEach(Deaths deaths) {
    for (HeapObject object : objects) {
      if (object != null) {
        deaths.died(object, 0L);
      }
    }
  }
}
