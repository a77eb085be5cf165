package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ACC_TRANSIENT;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.Unwatched;
import io.jvmscope.probe.Probe;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;

/**
 * Gives a class the words of its objects: those that probes want for the whole, where no superclass
 * has them, and one for each instance field if a probe follows these. Private and transient fields
 * are no part of what serialisation sees.
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
  static void apply(ClassFile file, ClassNode tree, Probe[] probes) {
    boolean isInterface = (file.accessFlags() & ClassFile.ACC_INTERFACE) != 0;
    if (isInterface || InstanceFields.hasWords(file)) {
      return;
    }
    if (isAboveRoot(file.superName())) {
      for (Probe probe : probes) {
        for (String word : probe.words()) {
          add(tree, Calls.PREFIX + word);
        }
      }
    }
    int fields = ObjectCode.isWanted(probes) ? InstanceFields.of(file).length : 0;
    for (int k = 0; k < fields; k++) {
      add(tree, InstanceFields.word(k));
    }
  }

  static void add(ClassNode tree, String name) {
    int access = ACC_PRIVATE | ACC_TRANSIENT | ACC_SYNTHETIC;
    tree.fields.add(new FieldNode(access, name, "J", null, null));
  }
}
