package io.jvmscope.watch;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;

/** Reads what the watcher says of a probe. */
final class ProbeReader {
  private ProbeReader() {}

  /** A message: its kind, number, classes, methods, what is told, parameters, condition. */
  static Probe read(List<String> message) {
    Iterator<String> fields = message.iterator();
    fields.next();
    int id = Integer.parseInt(fields.next());
    Pattern type = Pattern.compile(fields.next());
    Pattern method = Pattern.compile(fields.next());
    List<String> told = List.of(fields.next().split(" "));
    int n = Integer.parseInt(fields.next());
    List<String> types = n < 0 ? null : new ArrayList<>();
    List<String> names = n < 0 ? null : new ArrayList<>();
    for (int k = 0; k < n; k++) {
      types.add(fields.next());
      names.add(fields.next());
    }
    Expression condition = fields.hasNext() ? Expression.read(fields) : null;
    return new Probe(
        id,
        new MethodPattern(type, method, types),
        names,
        condition,
        Literals.of(condition),
        told.contains("callers"),
        told.contains("samples"));
  }
}
