package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.RETURN;

import java.util.Map;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Methods of the JDK as edits find and change them. */
final class Bodies {
  private Bodies() {}

  /** Inserts code before each return. */
  static void beforeReturns(MethodNode method, InsnList code) {
    for (AbstractInsnNode i : method.instructions.toArray()) {
      if (i.getOpcode() >= IRETURN && i.getOpcode() <= RETURN) {
        method.instructions.insertBefore(i, copy(code));
      }
    }
  }

  private static InsnList copy(InsnList code) {
    InsnList copy = new InsnList();
    for (AbstractInsnNode i : code.toArray()) {
      copy.add(i.clone(Map.of()));
    }
    return copy;
  }

  /** A call of a static method of one of the {@link RuntimeClasses}. */
  static MethodInsnNode call(String owner, String name, String descriptor) {
    return new MethodInsnNode(INVOKESTATIC, owner, name, descriptor, false);
  }

  /** A method that the edit needs; {@link IllegalStateException} if this JDK lacks it. */
  static MethodNode find(ClassNode tree, String name, String descriptor) {
    for (MethodNode method : tree.methods) {
      if (method.name.equals(name) && method.desc.equals(descriptor)) {
        return method;
      }
    }
    throw new IllegalStateException(
        "this JDK was not tried: "
            + tree.name
            + " lacks the method "
            + name
            + descriptor
            + ", which recording needs");
  }
}
