package io.jvmscope.probe;

import java.util.Arrays;

/**
 * How many bytes had been allocated when each number had been given. Numbers are in a window: from
 * where the objects were looked at last up to what has been read.
 */
final class ByteClock {
  private long[] bytes = new long[1 << 16]; // of the objects from first on, or sums up to them
  private int first = 1;
  private long before; // bytes of all objects before the first
  private int settled; // the last number up to which there are sums

  /** The object of a number has so many bytes. */
  void put(int number, long size) {
    int at = number - first;
    if (at >= bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(at + 1, 2 * bytes.length));
    }
    bytes[at] = size;
  }

  /** Adds up what was put, up to a number. */
  void settle(int last) {
    if (last >= first) {
      put(last, at(last));
    }
    for (int number = Math.max(first, settled + 1); number <= last; number++) {
      bytes[number - first] += number == first ? before : bytes[number - first - 1];
    }
    settled = last;
  }

  /**
   * Bytes allocated, the object of the number included; of a number before the window, as of its
   * end.
   */
  long at(int number) {
    return number < first ? before : number - first < bytes.length ? bytes[number - first] : 0L;
  }

  /** Forgets all numbers that are settled. */
  void advance() {
    int count = settled + 1 - first;
    if (count > 0) {
      before = at(settled);
      System.arraycopy(bytes, count, bytes, 0, bytes.length - count);
      Arrays.fill(bytes, bytes.length - count, bytes.length, 0L);
      first = settled + 1;
    }
  }
}
