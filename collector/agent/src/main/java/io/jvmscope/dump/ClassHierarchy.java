package io.jvmscope.dump;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The loaded classes with their superclasses and superinterfaces, by canonical id. */
final class ClassHierarchy {
  private final int[] names; // symbol of each class's name
  private final int[][] supers; // ids of superclass and interfaces, as far as loaded
  private final Map<Integer, List<Integer>> named = new HashMap<>();

  ClassHierarchy(int count) {
    names = new int[count];
    supers = new int[count][];
  }

  void define(int id, int name, int[] directSupers) {
    names[id] = name;
    supers[id] = directSupers;
    named.computeIfAbsent(name, n -> new ArrayList<>(1)).add(id);
  }

  boolean hasName(int id, int name) {
    return names[id] == name;
  }

  /** Is a class below another one? */
  boolean isBelow(int id, int above) {
    return isAbove(above, supers[id]);
  }

  /** Is the class above some class of that name? True if none of that name was loaded. */
  boolean isAbove(int id, int name) {
    List<Integer> below = named.get(name);
    if (below == null) {
      return true;
    }
    for (int start : below) {
      if (isAbove(id, supers[start])) {
        return true;
      }
    }
    return false;
  }

  private boolean isAbove(int id, int[] start) {
    for (int next : start) {
      if (next == id || isAbove(id, supers[next])) {
        return true;
      }
    }
    return false;
  }
}
