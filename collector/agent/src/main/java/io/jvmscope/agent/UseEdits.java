package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ACC_TRANSIENT;

import io.jvmscope.probe.Probes;
import java.util.List;
import org.objectweb.asm.tree.ClassNode;

/** Fields of the JDK's classes that say how objects are used: see {@code ObjectUse}. */
final class UseEdits {
  private static final int HIDDEN = ACC_PUBLIC | ACC_TRANSIENT | ACC_SYNTHETIC;

  private UseEdits() {}

  static List<ClassEdit> of(String className, Probes probes) {
    if (!UseCode.isWanted(probes.chosen())) {
      return List.of();
    }
    return switch (className) {
      case "java/lang/Class" -> List.of(UseEdits::editClass);
      case "java/lang/Thread" -> List.of(UseEdits::editThread);
      case "java/lang/String" -> List.of((tree, baseId) -> editString(tree, probes));
      default -> List.of();
    };
  }

  private static void editClass(ClassNode tree, int baseId) {
    tree.fields.add(Bodies.lastField(HIDDEN, "jvmscope$use", "I"));
  }

  private static void editThread(ClassNode tree, int baseId) {
    tree.fields.add(Bodies.lastField(HIDDEN, "jvmscope$held", "Ljava/lang/Object;"));
    tree.fields.add(Bodies.lastField(HIDDEN, "jvmscope$heldDepths", "Ljava/lang/Object;"));
    tree.fields.add(Bodies.lastField(HIDDEN, "jvmscope$heldCount", "I"));
    tree.fields.add(Bodies.lastField(HIDDEN, "jvmscope$enteredNode", "J"));
    tree.fields.add(Bodies.lastField(HIDDEN, "jvmscope$enteredSlot", "I"));
    tree.fields.add(Bodies.lastField(HIDDEN, "jvmscope$blocked", "Ljava/lang/Object;"));
  }

  /** Strings have the word of what is common to them; it needs no birth, unlike those of fields. */
  private static void editString(ClassNode tree, Probes probes) {
    if (probes.hasHashCodes()) {
      ShadowEdit.add(tree, "jvmscope$hash");
    }
  }
}
