package io.jvmscope.agent;

import java.util.Arrays;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;

/**
 * What an instruction takes from the operand stack, and leaves there: how many values, not words;
 * those that only copy and move values leave this to {@link OperandStack}.
 */
final class StackEffect {
  /** It leaves nothing. */
  static final char NOTHING = 'V';

  static final char REFERENCE = 'A';

  /** Any value of one word that is no reference. */
  static final char ONE_WORD = 'I';

  /** Any value of two words. */
  static final char TWO_WORDS = 'J';

  /** By opcode, up to invocations; a dot where more than the opcode is needed. */
  private static final int[] TAKEN = new int[Opcodes.IFNONNULL + 1];

  private static final char[] LEFT = new char[Opcodes.IFNONNULL + 1];

  static {
    Arrays.fill(LEFT, NOTHING);
    set(Opcodes.ACONST_NULL, Opcodes.ACONST_NULL, 0, "A");
    set(Opcodes.ICONST_M1, Opcodes.ICONST_5, 0, "I");
    set(Opcodes.LCONST_0, Opcodes.LCONST_1, 0, "J");
    set(Opcodes.FCONST_0, Opcodes.FCONST_2, 0, "I");
    set(Opcodes.DCONST_0, Opcodes.DCONST_1, 0, "J");
    set(Opcodes.BIPUSH, Opcodes.SIPUSH, 0, "I");
    set(Opcodes.ILOAD, Opcodes.ALOAD, 0, "IJIJA");
    set(Opcodes.IALOAD, Opcodes.SALOAD, 2, "IJIJAIII");
    set(Opcodes.ISTORE, Opcodes.ASTORE, 1, "V");
    set(Opcodes.IASTORE, Opcodes.SASTORE, 3, "V");
    set(Opcodes.POP, Opcodes.POP, 1, "V");
    set(Opcodes.IADD, Opcodes.DREM, 2, "IJIJ");
    set(Opcodes.INEG, Opcodes.DNEG, 1, "IJIJ");
    set(Opcodes.ISHL, Opcodes.LXOR, 2, "IJ");
    set(Opcodes.I2L, Opcodes.I2S, 1, "JIJIIJIJJIJIIII");
    set(Opcodes.LCMP, Opcodes.DCMPG, 2, "I");
    set(Opcodes.IFEQ, Opcodes.IFLE, 1, "V");
    set(Opcodes.IF_ICMPEQ, Opcodes.IF_ACMPNE, 2, "V");
    set(Opcodes.TABLESWITCH, Opcodes.ARETURN, 1, "V");
    set(Opcodes.PUTSTATIC, Opcodes.PUTSTATIC, 1, "V");
    set(Opcodes.PUTFIELD, Opcodes.PUTFIELD, 2, "V");
    set(Opcodes.NEW, Opcodes.NEW, 0, "A");
    set(Opcodes.NEWARRAY, Opcodes.ANEWARRAY, 1, "A");
    set(Opcodes.ARRAYLENGTH, Opcodes.ARRAYLENGTH, 1, "I");
    set(Opcodes.ATHROW, Opcodes.ATHROW, 1, "V");
    set(Opcodes.CHECKCAST, Opcodes.CHECKCAST, 1, "A");
    set(Opcodes.INSTANCEOF, Opcodes.INSTANCEOF, 1, "I");
    set(Opcodes.MONITORENTER, Opcodes.MONITOREXIT, 1, "V");
    set(Opcodes.IFNULL, Opcodes.IFNONNULL, 1, "V");
  }

  private StackEffect() {}

  private static void set(int from, int to, int taken, String left) {
    for (int opcode = from; opcode <= to; opcode++) {
      TAKEN[opcode] = taken;
      LEFT[opcode] = left.charAt((opcode - from) % left.length());
    }
  }

  /** Values that an instruction takes. */
  static int taken(AbstractInsnNode i) {
    int opcode = i.getOpcode();
    if (i instanceof MethodInsnNode call) {
      int receiver = opcode == Opcodes.INVOKESTATIC ? 0 : 1;
      return receiver + Type.getArgumentCount(call.desc);
    } else if (i instanceof InvokeDynamicInsnNode call) {
      return Type.getArgumentCount(call.desc);
    } else if (i instanceof MultiANewArrayInsnNode array) {
      return array.dims;
    }
    return opcode == Opcodes.GETFIELD ? 1 : TAKEN[opcode];
  }

  /** What it leaves. */
  static char left(AbstractInsnNode i) {
    int opcode = i.getOpcode();
    if (i instanceof MethodInsnNode call) {
      return left(Type.getReturnType(call.desc));
    } else if (i instanceof InvokeDynamicInsnNode call) {
      return left(Type.getReturnType(call.desc));
    } else if (i instanceof LdcInsnNode constant) {
      return left(constant.cst);
    } else if (opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC) {
      return left(Type.getType(((FieldInsnNode) i).desc));
    }
    return i instanceof MultiANewArrayInsnNode ? REFERENCE : LEFT[opcode];
  }

  private static char left(Object constant) {
    if (constant instanceof ConstantDynamic dynamic) {
      return left(Type.getType(dynamic.getDescriptor()));
    } else if (constant instanceof Long || constant instanceof Double) {
      return TWO_WORDS;
    }
    return constant instanceof Integer || constant instanceof Float ? ONE_WORD : REFERENCE;
  }

  private static char left(Type type) {
    return switch (type.getSort()) {
      case Type.VOID -> NOTHING;
      case Type.LONG, Type.DOUBLE -> TWO_WORDS;
      case Type.OBJECT, Type.ARRAY -> REFERENCE;
      default -> ONE_WORD;
    };
  }
}
