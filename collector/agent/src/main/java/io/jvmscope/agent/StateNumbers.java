package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.INVOKESPECIAL;

import java.util.Set;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Numbers the states of a user's own probe in the order of its classes and their code: in the
 * program's VM and when the recording is read, a state has the same number.
 */
final class StateNumbers {
  private static final Set<String> STATES =
      Set.of("io/jvmscope/snippet/ContextState", "io/jvmscope/snippet/ThreadState");

  private int next;

  /** A class is passed on with a number for each state that it makes. */
  ClassVisitor given(ClassVisitor to) {
    return new ClassVisitor(Opcodes.ASM9, to) {
      @Override
      public MethodVisitor visitMethod(
          int access, String name, String descriptor, String signature, String[] exceptions) {
        return new Code(super.visitMethod(access, name, descriptor, signature, exceptions));
      }
    };
  }

  private final class Code extends MethodVisitor {
    Code(MethodVisitor to) {
      super(Opcodes.ASM9, to);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      boolean isMade = opcode == INVOKESPECIAL && STATES.contains(owner);
      if (isMade) {
        Push.of(next++).accept(mv);
      }
      super.visitMethodInsn(opcode, owner, name, isMade ? "(I)V" : descriptor, isInterface);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
      super.visitMaxs(maxStack + 1, maxLocals);
    }
  }
}
