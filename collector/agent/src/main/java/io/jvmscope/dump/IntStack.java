package io.jvmscope.dump;

import java.util.Arrays;

/** A stack of ints that grows. */
final class IntStack {
  private int[] values = new int[1024];
  private int size;

  void push(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
  }

  int pop() {
    return values[--size];
  }

  int size() {
    return size;
  }
}
