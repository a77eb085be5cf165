package io.jvmscope.layout;

import io.jvmscope.classfile.ClassFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The instance fields of a class by the group in which the VM lays them out. */
final class FieldGroups {
  private FieldGroups() {}

  /**
   * The types of the fields, one character each: of those that are not contended, then of each
   * contended group in the order of its first field. A group without a name is of one field.
   */
  static List<String> of(ClassFile file, boolean mayContend, String injected) {
    StringBuilder plain = new StringBuilder(injected);
    Map<String, StringBuilder> contended = new LinkedHashMap<>();
    for (ClassFile.Field field : file.fields()) {
      if (!field.isStatic()) {
        String group = mayContend ? field.contended() : null;
        String key = group == null || !group.isEmpty() ? group : "\0" + field.name();
        StringBuilder types =
            key == null ? plain : contended.computeIfAbsent(key, k -> new StringBuilder());
        char type = field.descriptor().charAt(0);
        types.append(type == '[' ? 'L' : type);
      }
    }
    List<String> groups = new ArrayList<>();
    groups.add(plain.toString());
    contended.values().forEach(types -> groups.add(types.toString()));
    return groups;
  }
}
