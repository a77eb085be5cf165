package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ALOAD;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.probe.Lifetimes;
import java.util.BitSet;
import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Has the constructors of a class that is left out give their object the number that its {@code
 * new} got. It waits at the end of the caller's frame, where the first counted constructor would
 * take it, be it that of an object which this one makes.
 */
final class BirthEdits implements MethodEdit {
  private static final int STACK = 2;

  private final ClassFile file;
  private final Calls calls;

  private BirthEdits(ClassFile file, Calls calls) {
    this.file = file;
    this.calls = calls;
  }

  /** The edit of a class that is not instrumented; none if it has no constructor. */
  static List<MethodEdit> of(ClassFile file, Calls calls) {
    for (ClassFile.Method method : file.methods()) {
      if (isConstructor(method)) {
        return List.of(new BirthEdits(file, calls));
      }
    }
    return List.of();
  }

  private static boolean isConstructor(ClassFile.Method method) {
    return method.name().equals("<init>")
        && method.code() != null
        && Instrumenter.hasRoom(method.code());
  }

  @Override
  public void apply(ClassFile.Method method, MethodNode node) {
    if (isConstructor(method)) {
      hand(node);
    }
  }

  private void hand(MethodNode method) {
    AbstractInsnNode[] instructions = Bodies.instructions(method);
    BitSet delegating =
        new Constructor(file.name(), file.majorVersion(), method, instructions).calls();
    if (delegating.isEmpty()) {
      return;
    }
    for (int k = delegating.nextSetBit(0); k >= 0; k = delegating.nextSetBit(k + 1)) {
      InsnList before = new InsnList();
      before.add(calls.currentThread());
      before.add(calls.call(Lifetimes.DELEGATING_UNSEEN));
      method.instructions.insertBefore(instructions[k], before);
      InsnList after = new InsnList();
      after.add(new VarInsnNode(ALOAD, 0));
      after.add(calls.currentThread());
      after.add(calls.call(Lifetimes.BORN_UNSEEN));
      method.instructions.insert(instructions[k], after);
    }
    InsnList entry = new InsnList();
    entry.add(calls.currentThread());
    entry.add(calls.call(Lifetimes.ENTERED_UNSEEN));
    method.instructions.insert(entry);
    method.maxStack += STACK;
  }
}
