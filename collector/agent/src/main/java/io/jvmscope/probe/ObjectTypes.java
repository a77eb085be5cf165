package io.jvmscope.probe;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the objects of a recording may be: instances of classes, and arrays. */
public final class ObjectTypes {
  /**
   * A class, or arrays of a type.
   *
   * @param name of the class, or descriptor of the array with the class's canonical name
   * @param classId key of the class, of arrays that of their elements; -1 if these are numbers, or
   *     the class is not known
   */
  public record Type(String name, int classId) {}

  private final Map<Type, Integer> numbers = new HashMap<>();
  private final List<Type> types = new ArrayList<>();

  /** The class that a class's name or an array's descriptor names; null for numbers. */
  public static String element(String name) {
    int brackets = brackets(name);
    if (brackets == 0) {
      return name;
    }
    return name.charAt(brackets) == 'L' ? name.substring(brackets + 1, name.length() - 1) : null;
  }

  /** The same name or descriptor with another class. */
  public static String withElement(String name, String element) {
    int brackets = brackets(name);
    return brackets == 0 ? element : name.substring(0, brackets) + "L" + element + ";";
  }

  private static int brackets(String name) {
    int count = 0;
    while (name.charAt(count) == '[') {
      count++;
    }
    return count;
  }

  /** The number of a type, which it keeps. */
  public int of(Type type) {
    Integer known = numbers.putIfAbsent(type, types.size());
    if (known != null) {
      return known;
    }
    types.add(type);
    return types.size() - 1;
  }

  /** The type of a number. */
  public Type get(int number) {
    return types.get(number);
  }
}
