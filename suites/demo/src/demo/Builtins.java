package demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The functions that every script has. */
final class Builtins {
  private Builtins() {}

  static void define(Scope scope, List<String> arguments) {
    add(scope, "list", list -> new ArrayList<>());
    add(scope, "size", list -> (long) items(list, 0).size());
    add(scope, "push", list -> items(list, 0).add(list.get(1)) ? 1L : 0L);
    add(scope, "fill", list -> fill((long) list.get(0), list.get(1)));
    add(scope, "join", list -> joined(items(list, 0), items(list, 1)));
    add(scope, "range", list -> range((long) list.get(0), (long) list.get(1)));
    add(scope, "words", list -> words((String) list.get(0)));
    add(scope, "size_argument", list -> arguments.isEmpty() ? list.get(0) : size(arguments));
  }

  private interface Body {
    Object apply(List<Object> arguments);
  }

  private static void add(Scope scope, String name, Body body) {
    Function function = (caller, arguments) -> body.apply(arguments);
    scope.define(name, function);
  }

  @SuppressWarnings("unchecked")
  private static List<Object> items(List<Object> arguments, int index) {
    return (List<Object>) arguments.get(index);
  }

  private static Object size(List<String> arguments) {
    return Long.valueOf(arguments.get(0));
  }

  private static List<Object> fill(long size, Object value) {
    return new ArrayList<>(Collections.nCopies((int) size, value));
  }

  private static List<Object> joined(List<Object> a, List<Object> b) {
    List<Object> both = new ArrayList<>(a);
    both.addAll(b);
    return both;
  }

  private static List<Object> range(long from, long to) {
    return LongStream.range(from, to).boxed().collect(Collectors.toCollection(ArrayList::new));
  }

  private static String words(String text) {
    return Arrays.stream(text.split(" "))
        .collect(Collectors.groupingBy(w -> w, TreeMap::new, Collectors.counting()))
        .toString();
  }
}
