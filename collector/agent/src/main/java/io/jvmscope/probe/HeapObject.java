package io.jvmscope.probe;

/** An object that was reachable when it was last looked at, and what it refers to. */
final class HeapObject {
  private static final int FEW = 8;
  private static final int[] NOTHING = {};

  final int number;
  final int context; // link of the node that allocated it
  final int site;
  final int type; // its number among types; -1: not known
  final boolean isFound; // its allocation was not seen: it stays

  /** Bytes allocated when it was, itself included; negative: see {@link ByteClock}. */
  long born = -1;

  /** Its size, once it is known when it was born. */
  long bytes;

  /** When a root or an object referred to it last, and in the lower half where that ended. */
  long stamp;

  /** Whether that was an object or a static field, rather than a variable. */
  boolean isReleased;

  /** Static fields and the VM's own references to it. */
  int fixed;

  boolean isMarked;

  // Places and numbers of targets in turn; if there are more than a few, by the hash of the place.
  private int[] references = NOTHING;
  private int count;

  HeapObject(int number, int context, int site, int type, boolean isFound) {
    this.number = number;
    this.context = context;
    this.site = site;
    this.type = type;
    this.isFound = isFound;
  }

  /** Refers to another object from a place; returns what it referred to from there. */
  int refer(int place, int target) {
    int at = find(place);
    if (at >= 0) {
      int old = references[at + 1];
      references[at + 1] = target;
      return old;
    }
    if (target != 0) {
      add(place, target);
    }
    return 0;
  }

  /** Refers to what another object does. */
  void referAs(HeapObject other) {
    references = other.references.clone();
    count = other.count;
  }

  /** How many pairs {@link #target} knows, of which some are 0. */
  int places() {
    return references.length / 2;
  }

  /** What a place refers to; 0: nothing. */
  int target(int index) {
    return references[2 * index + 1];
  }

  private int find(int place) {
    if (references.length <= 2 * FEW) {
      for (int at = 0; at < 2 * count; at += 2) {
        if (references[at] == place) {
          return at;
        }
      }
      return -1;
    }
    int at = slot(place);
    return references[at] == place + 1 ? at : -1;
  }

  private void add(int place, int target) {
    if (references.length <= 2 * FEW && count < FEW) {
      if (2 * count == references.length) {
        references = java.util.Arrays.copyOf(references, Math.max(4, 4 * count));
      }
      references[2 * count] = place;
      references[2 * count + 1] = target;
      count++;
      return;
    }
    if (references.length <= 2 * FEW || 2 * count >= references.length / 2) {
      spread();
    }
    int at = slot(place);
    references[at] = place + 1;
    references[at + 1] = target;
    count++;
  }

  /** From few to many, or to twice as many. */
  private void spread() {
    int[] old = references;
    boolean wereFew = old.length <= 2 * FEW;
    references = new int[4 * old.length];
    for (int k = 0; k < old.length; k += 2) {
      if (wereFew || old[k] != 0) {
        int place = wereFew ? old[k] : old[k] - 1;
        int at = slot(place);
        references[at] = place + 1;
        references[at + 1] = old[k + 1];
      }
    }
  }

  /** Where a place is, or would be. */
  private int slot(int place) {
    int mask = references.length / 2 - 1;
    int at = place * 0x9E3779B9 >>> 5 & mask;
    while (references[2 * at] != 0 && references[2 * at] != place + 1) {
      at = at + 1 & mask;
    }
    return 2 * at;
  }
}
