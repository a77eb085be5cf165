package io.jvmscope.probe;

/** Numbers by numbers other than 0, which nobody takes out again. */
final class IntMap {
  private int[] keys = new int[1 << 10];
  private int[] values = new int[1 << 10];
  private int count;

  /** The value of a key; -1 if it has none. */
  int get(int key) {
    int at = find(key);
    return keys[at] == 0 ? -1 : values[at];
  }

  void put(int key, int value) {
    int at = find(key);
    if (keys[at] == 0) {
      keys[at] = key;
      count++;
    }
    values[at] = value;
    if (2 * count > keys.length) {
      grow();
    }
  }

  private void grow() {
    int[] oldKeys = keys;
    int[] oldValues = values;
    keys = new int[2 * oldKeys.length];
    values = new int[2 * oldKeys.length];
    for (int k = 0; k < oldKeys.length; k++) {
      if (oldKeys[k] != 0) {
        int at = find(oldKeys[k]);
        keys[at] = oldKeys[k];
        values[at] = oldValues[k];
      }
    }
  }

  private int find(int key) {
    int mask = keys.length - 1;
    int at = key * 0x9E3779B9 >>> 7 & mask;
    while (keys[at] != 0 && keys[at] != key) {
      at = at + 1 & mask;
    }
    return at;
  }
}
