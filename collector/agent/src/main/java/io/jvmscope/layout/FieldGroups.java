package io.jvmscope.layout;

import io.jvmscope.classfile.ClassFile;
import java.util.ArrayList;
import java.util.List;

/**
 * The instance fields of a class by the group in which the VM lays them out, as a text: the types
 * of the fields, one character each, of those that are not contended; then, behind a {@code |}
 * each, of the contended groups in the order of their first fields. A group without a name is of
 * one field. {@code @} in front: the class itself is contended.
 */
public final class FieldGroups {
  private static final String CONTENDED = "@";
  private static final String HIDDEN = "jvmscope$";

  private FieldGroups() {}

  /** The text of a class; what the recording has added is not in there. */
  public static String of(ClassFile file) {
    StringBuilder plain = new StringBuilder(file.isContended() ? CONTENDED : "");
    List<String> names = new ArrayList<>();
    List<StringBuilder> contended = new ArrayList<>();
    for (ClassFile.Field field : file.fields()) {
      if (field.isStatic() || field.name().startsWith(HIDDEN)) {
        continue;
      }
      StringBuilder types = plain;
      String group = field.contended();
      if (group != null) {
        int index = group.isEmpty() ? -1 : names.indexOf(group);
        if (index < 0) {
          index = names.size();
          names.add(group);
          contended.add(new StringBuilder());
        }
        types = contended.get(index);
      }
      char type = field.descriptor().charAt(0);
      types.append(type == '[' ? 'L' : type);
    }
    for (int k = 0; k < contended.size(); k++) {
      plain.append('|').append(contended.get(k));
    }
    return plain.toString();
  }

  /** Is a class contended itself? */
  static boolean isContended(String text) {
    return text.startsWith(CONTENDED);
  }

  /** The groups of a text; all fields are in the first one unless they may be contended. */
  static List<String> split(String text, boolean mayContend, String injected) {
    List<String> groups = new ArrayList<>();
    StringBuilder group = new StringBuilder(injected);
    for (int k = isContended(text) ? 1 : 0; k < text.length(); k++) {
      if (text.charAt(k) != '|') {
        group.append(text.charAt(k));
      } else if (mayContend) {
        groups.add(group.toString());
        group.setLength(0);
      }
    }
    groups.add(group.toString());
    return groups;
  }
}
