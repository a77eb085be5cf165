package io.jvmscope.agent;

import io.jvmscope.classfile.ClassFile;
import java.util.ArrayList;
import java.util.List;

/**
 * The instance fields that a class declares, in the order of its file, without words: a flight
 * recording has the VM keep the files of its events as they are instrumented. Texts are made
 * without string builders, which may fail while a program mocks them.
 */
final class InstanceFields {
  private InstanceFields() {}

  /** Each as its name, a blank, and its descriptor. */
  static String[] of(ClassFile file) {
    List<String> fields = new ArrayList<>();
    for (ClassFile.Field field : file.fields()) {
      if ((field.access() & ClassFile.ACC_STATIC) == 0 && !isWord(field)) {
        fields.add(text(field.name(), field.descriptor()));
      }
    }
    return fields.toArray(new String[0]);
  }

  /** Has the class words already? */
  static boolean hasWords(ClassFile file) {
    for (ClassFile.Field field : file.fields()) {
      if (isWord(field)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isWord(ClassFile.Field field) {
    return field.name().startsWith(Calls.PREFIX);
  }

  static String text(String name, String descriptor) {
    return name.concat(" ").concat(descriptor);
  }

  /** The number of a field among others; -1 if it is none of them. */
  static int indexOf(String[] fields, String name, String descriptor) {
    String text = text(name, descriptor);
    for (int k = 0; k < fields.length; k++) {
      if (fields[k].equals(text)) {
        return k;
      }
    }
    return -1;
  }

  /** The name of the word of a field. */
  static String word(int index) {
    return Calls.PREFIX.concat(Integer.toString(index));
  }
}
