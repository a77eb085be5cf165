package io.jvmscope.agent;

import io.jvmscope.agent.Calls.Entry;
import io.jvmscope.classfile.ClassFile;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Has a hashCode or clone say that it is not {@code Object}'s. Behind a virtual call, this tells
 * which of the two it has reached; counting methods say so in their prologue, those of classes that
 * are left out by this alone.
 */
final class OverrideEdits implements ClassEdit {
  private final Calls calls;

  private OverrideEdits(Calls calls) {
    this.calls = calls;
  }

  /** The edit of a class that is not instrumented; none if it overrides neither. */
  static List<ClassEdit> of(ClassFile file, Calls calls) {
    for (ClassFile.Method method : file.methods()) {
      boolean isOverride = call(method.name(), method.descriptor()) != null;
      if (isOverride && !method.isStatic() && method.code() != null) {
        return List.of(new OverrideEdits(calls));
      }
    }
    return List.of();
  }

  /** The call with which a method says what it overrides; null: neither of the two. */
  static Entry call(String name, String descriptor) {
    if (name.equals("hashCode") && descriptor.equals("()I")) {
      return Entry.OVERRIDES_HASH;
    }
    return name.equals("clone") && descriptor.equals("()Ljava/lang/Object;")
        ? Entry.OVERRIDES_CLONE
        : null;
  }

  @Override
  public void apply(ClassNode tree, int baseId) {
    for (MethodNode method : tree.methods) {
      Entry call = call(method.name, method.desc);
      boolean hasThis = (method.access & Opcodes.ACC_STATIC) == 0;
      if (call != null && hasThis && method.instructions.size() > 0) {
        InsnList code = new InsnList();
        code.add(new VarInsnNode(Opcodes.ALOAD, 0));
        code.add(calls.call(call));
        method.instructions.insert(code);
        method.maxStack = Math.max(method.maxStack, 1);
      }
    }
  }
}
