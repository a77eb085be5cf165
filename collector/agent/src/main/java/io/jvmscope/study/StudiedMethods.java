package io.jvmscope.study;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The methods with static probes, numbered in the order in which they were loaded. */
final class StudiedMethods {
  /** A method; classes of one name in several loaders count as one. */
  record Method(String className, String name, String descriptor) {}

  private final Map<Method, Integer> numbers = new HashMap<>();
  private final List<Method> methods = new ArrayList<>();

  synchronized int number(String className, String name, String descriptor) {
    Method method = new Method(className, name, descriptor);
    Integer known = numbers.get(method);
    if (known == null) {
      known = methods.size();
      numbers.put(method, known);
      methods.add(method);
    }
    return known;
  }

  synchronized List<Method> all() {
    return List.copyOf(methods);
  }
}
