package io.jvmscope.agent;

import io.jvmscope.agent.Calls.Entry;
import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.LeafMethods;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Has a method say that a call has not reached the leaf in whose place it is, such as a hashCode or
 * clone that is not {@code Object}'s. Counting methods say so themselves, those of classes that are
 * left out by this alone.
 */
final class OverrideEdits implements ClassEdit {
  private final LeafMethods leaves;
  private final Calls calls;

  private OverrideEdits(LeafMethods leaves, Calls calls) {
    this.leaves = leaves;
    this.calls = calls;
  }

  /** The edit of a class that is not instrumented; none if it has no such method. */
  static List<ClassEdit> of(ClassFile file, LeafMethods leaves, Calls calls) {
    for (ClassFile.Method method : file.methods()) {
      if (method.code() != null && leaves.isStandIn(method.name(), method.descriptor())) {
        return List.of(new OverrideEdits(leaves, calls));
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
      if (method.instructions.size() == 0 || !leaves.isStandIn(method.name, method.desc)) {
        continue;
      }
      InsnList returns = new InsnList();
      returns.add(calls.currentThread());
      returns.add(new InsnNode(Opcodes.DUP));
      returns.add(calls.getSlot());
      returns.add(calls.call(Entry.LEAVE));
      Bodies.beforeReturns(method, returns);
      method.maxStack += 3;
      Entry call = call(method.name, method.desc);
      boolean hasThis = (method.access & Opcodes.ACC_STATIC) == 0;
      if (call != null && hasThis) {
        InsnList code = new InsnList();
        code.add(new VarInsnNode(Opcodes.ALOAD, 0));
        code.add(calls.call(call == Entry.OVERRIDES_CLONE ? Entry.HIDES_CLONE : call));
        method.instructions.insert(code);
      }
    }
  }
}
