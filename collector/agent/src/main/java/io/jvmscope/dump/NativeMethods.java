package io.jvmscope.dump;

import io.jvmscope.probe.Recording;
import java.util.HashMap;
import java.util.Map;

/** The native methods of the loaded classes by their names, which is how the VM tells of them. */
final class NativeMethods implements Recording.Natives {
  private static final int UNKNOWN = -1;

  private final Map<String, Integer> keys = new HashMap<>();

  /** Adds a method. Of classes of one name, nobody can say later which one is meant. */
  void add(String className, String name, String descriptor, int id) {
    keys.merge(key(className, name, descriptor), id, (known, other) -> UNKNOWN);
  }

  @Override
  public int find(String className, String name, String descriptor) {
    return keys.getOrDefault(key(className, name, descriptor), UNKNOWN);
  }

  private static String key(String className, String name, String descriptor) {
    return className + '.' + name + descriptor;
  }
}
