package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ACC_TRANSIENT;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.Unwatched;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;

/**
 * Gives a class the words of its objects: one for each instance field, and two for the whole where
 * no superclass has them. Private and transient fields are no part of what serialisation sees.
 */
final class ShadowEdit {
  static final String BIRTH = Calls.PREFIX + "birth";
  static final String COUNTS = Calls.PREFIX + "counts";

  private ShadowEdit() {}

  /** Do the fields that a class of the JDK declares have words? */
  static boolean hasWords(String className) {
    return Unwatched.reason(className) == null && Exclusions.reason(className) == null;
  }

  /** Do objects get the words of their whole from a class with this superclass? */
  static boolean isAboveRoot(String superName) {
    return superName != null && !hasWords(superName);
  }

  /** Adds the words to a class that is no interface. */
  static void apply(ClassFile file, ClassNode tree) {
    boolean isInterface = (file.accessFlags() & ClassFile.ACC_INTERFACE) != 0;
    if (isInterface || InstanceFields.hasWords(file)) {
      return;
    }
    if (isAboveRoot(file.superName())) {
      add(tree, BIRTH);
      add(tree, COUNTS);
    }
    int fields = InstanceFields.of(file).length;
    for (int k = 0; k < fields; k++) {
      add(tree, InstanceFields.word(k));
    }
  }

  private static void add(ClassNode tree, String name) {
    int access = ACC_PRIVATE | ACC_TRANSIENT | ACC_SYNTHETIC;
    tree.fields.add(new FieldNode(access, name, "J", null, null));
  }
}
