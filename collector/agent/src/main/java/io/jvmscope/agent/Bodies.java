package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.RETURN;

import io.jvmscope.classfile.ClassFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Methods of the JDK as edits find and change them. */
final class Bodies {
  private static final int FIRST_WITH_FRAMES = 50;

  private Bodies() {}

  /** Inserts code before each return. */
  static void beforeReturns(MethodNode method, InsnList code) {
    for (AbstractInsnNode i : method.instructions.toArray()) {
      if (i.getOpcode() >= IRETURN && i.getOpcode() <= RETURN) {
        method.instructions.insertBefore(i, copy(code));
      }
    }
  }

  /**
   * Has a method stack map frames, as far as it needs any? Classes of version 50 may do without:
   * the VM then verifies them in the way of older ones. So may those of the boot loader, which it
   * does not verify: before JDK 21 none of their frames is left for an agent that transforms a
   * class again.
   */
  static boolean hasFrames(ClassFile file, MethodNode method) {
    if (file.majorVersion() < FIRST_WITH_FRAMES) {
      return false;
    }
    boolean needs = !method.tryCatchBlocks.isEmpty();
    for (AbstractInsnNode i : method.instructions) {
      if (i instanceof FrameNode) {
        return true;
      }
      needs |= Ways.isBranch(i);
    }
    return !needs;
  }

  /** A field behind all others, which then lie where they do without it. */
  static FieldNode lastField(int access, String name, String descriptor) {
    FieldNode field = new FieldNode(access, name, descriptor, null, null);
    field
        .visitAnnotation("Ljdk/internal/vm/annotation/Contended;", true)
        .visit("value", "jvmscope");
    return field;
  }

  /** A copy of code, which can stand in one list only. */
  static InsnList copy(InsnList code) {
    InsnList copy = new InsnList();
    for (AbstractInsnNode i : code.toArray()) {
      copy.add(i.clone(Map.of()));
    }
    return copy;
  }

  /** The instructions of a method, without labels, frames and lines. */
  static AbstractInsnNode[] instructions(MethodNode method) {
    List<AbstractInsnNode> found = new ArrayList<>();
    for (AbstractInsnNode each : method.instructions) {
      if (each.getOpcode() >= 0) {
        found.add(each);
      }
    }
    return found.toArray(new AbstractInsnNode[0]);
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
    throw lacks(tree.name, "the method " + name + descriptor);
  }

  /** The methods of a name, of which the edit needs one at least; as {@link #find}. */
  static List<MethodNode> named(ClassNode tree, String name) {
    List<MethodNode> found = new ArrayList<>();
    for (MethodNode method : tree.methods) {
      if (method.name.equals(name)) {
        found.add(method);
      }
    }
    if (found.isEmpty()) {
      throw lacks(tree.name, "a method " + name);
    }
    return found;
  }

  /** What to throw where a class of this JDK has not what an edit needs. */
  static IllegalStateException lacks(String className, String what) {
    return new IllegalStateException(
        "this JDK is not supported: " + className + " lacks " + what + ", which recording needs");
  }
}
