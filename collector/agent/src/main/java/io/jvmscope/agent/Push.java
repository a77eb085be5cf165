package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.BIPUSH;
import static org.objectweb.asm.Opcodes.ICONST_0;
import static org.objectweb.asm.Opcodes.SIPUSH;

import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;

/** Constants on the operand stack. */
final class Push {
  private Push() {}

  /** The shortest instruction that pushes an int. */
  static AbstractInsnNode of(int value) {
    if (value >= -1 && value <= 5) {
      return new InsnNode(ICONST_0 + value);
    }
    if (value >= Byte.MIN_VALUE && value <= Byte.MAX_VALUE) {
      return new IntInsnNode(BIPUSH, value);
    }
    if (value >= Short.MIN_VALUE && value <= Short.MAX_VALUE) {
      return new IntInsnNode(SIPUSH, value);
    }
    return new LdcInsnNode(value);
  }
}
