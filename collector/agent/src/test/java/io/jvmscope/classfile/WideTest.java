package io.jvmscope.classfile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jvmscope.classfile.MethodPlan.Coverage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * An instruction behind {@code wide} does what it does without: all that it may be (JVMS 6.5). Only
 * the number of its local variable is larger.
 */
final class WideTest {
  private static final int LAST_NARROW = 255;

  /** A method in which code behind the instruction throws. */
  private static MethodPlan planOf(int opcode, int local) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V1_4, Opcodes.ACC_PUBLIC, "made/Made", null, "java/lang/Object", null);
    MethodVisitor method = writer.visitMethod(Opcodes.ACC_STATIC, "run", "()V", null, null);
    method.visitCode();
    Label subroutine = new Label();
    method.visitJumpInsn(Opcodes.JSR, subroutine);
    method.visitInsn(Opcodes.ACONST_NULL);
    method.visitInsn(Opcodes.ATHROW);
    method.visitLabel(subroutine);
    method.visitMethodInsn(Opcodes.INVOKESTATIC, "made/Made", "run", "()V", false);
    if (opcode == Opcodes.IINC) {
      method.visitIincInsn(local, 1);
    } else {
      method.visitVarInsn(opcode, local);
    }
    method.visitInsn(Opcodes.NOP); // dead behind ret
    method.visitInsn(Opcodes.RETURN);
    method.visitMaxs(4, local + 2);
    method.visitEnd();
    writer.visitEnd();
    ClassFile file = new ClassFile(writer.toByteArray());
    return new MethodPlan(
        file, file.methods().get(0), LeafMethods.NONE, Coverage.FULL, new NodeShare[0]);
  }

  private static String described(MethodPlan plan) {
    StringBuilder text = new StringBuilder();
    for (int k = 0; k < plan.blocks().instructionCount(); k++) {
      int block = plan.blocks().blockOf(k);
      text.append(k).append(": block ").append(block);
      text.append(plan.isThrowing(k) ? ", may throw" : "");
      text.append(plan.needsOwnSlot(k) ? ", needs the own slot\n" : "\n");
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Opcodes.ILOAD,
        Opcodes.LLOAD,
        Opcodes.FLOAD,
        Opcodes.DLOAD,
        Opcodes.ALOAD,
        Opcodes.ISTORE,
        Opcodes.LSTORE,
        Opcodes.FSTORE,
        Opcodes.DSTORE,
        Opcodes.ASTORE,
        Opcodes.IINC,
        Opcodes.RET
      })
  void isPlannedAsItIsWithout(int opcode) {
    MethodPlan narrow = planOf(opcode, LAST_NARROW);
    MethodPlan wide = planOf(opcode, LAST_NARROW + 1);

    assertEquals(opcode, narrow.blocks().opcode(4));
    assertEquals(io.jvmscope.classfile.Opcodes.WIDE, wide.blocks().opcode(4));
    assertEquals(described(narrow), described(wide));
  }
}
