package io.jvmscope.watch;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * A part of a condition, as the watcher has parsed it.
 *
 * @param kind what it is, as {@code and}, {@code <} or {@code call}
 * @param text its name or literal; "" for others
 * @param column where it stands in the probe's text, from 1
 * @param length how long it is
 * @param operands what it is made of
 */
record Expression(String kind, String text, int column, int length, List<Expression> operands) {
  /** Reads what the watcher has written: the fields in order, each part before its operands. */
  static Expression read(Iterator<String> fields) {
    String kind = fields.next();
    String text = fields.next();
    int column = Integer.parseInt(fields.next());
    int length = Integer.parseInt(fields.next());
    int n = Integer.parseInt(fields.next());
    List<Expression> operands = new ArrayList<>();
    for (int k = 0; k < n; k++) {
      operands.add(read(fields));
    }
    return new Expression(kind, text, column, length, operands);
  }

  Expression first() {
    return operands.get(0);
  }

  Expression second() {
    return operands.get(1);
  }
}
