package io.jvmscope.classfile;

/**
 * Which instructions of a method may throw, or make the VM call Java. What surely does neither:
 * constants but classes and dynamic ones, members of the class itself, which is initialised, fields
 * of {@code this}.
 */
final class ThrowingInstructions {
  private final ClassFile file;
  private final ClassFile.Method method;
  private final BasicBlocks blocks;

  ThrowingInstructions(ClassFile file, ClassFile.Method method, BasicBlocks blocks) {
    this.file = file;
    this.method = method;
    this.blocks = blocks;
  }

  /** By instruction: may it throw, or make the VM call Java? */
  boolean[] find() {
    boolean[] throwing = new boolean[blocks.instructionCount()];
    boolean thisIsStable = !method.isStatic() && !storesLocalZero();
    for (int i = 0; i < throwing.length; i++) {
      throwing[i] = mayFail(i, thisIsStable);
    }
    return throwing;
  }

  private boolean storesLocalZero() {
    for (int i = 0; i < blocks.instructionCount(); i++) {
      int at = blocks.position(i);
      int opcode = blocks.opcode(i);
      if (opcode == Opcodes.ASTORE_0
          || opcode == Opcodes.ASTORE && file.u1(at + 1) == 0
          || opcode == Opcodes.WIDE && file.u1(at + 1) == Opcodes.ASTORE && file.u2(at + 2) == 0) {
        return true;
      }
    }
    return false;
  }

  private boolean mayFail(int instruction, boolean thisIsStable) {
    int opcode = blocks.opcode(instruction);
    int at = blocks.position(instruction);
    switch (opcode) {
      case Opcodes.LDC:
        return !isPlainConstant(file.u1(at + 1));
      case Opcodes.LDC_W:
      case Opcodes.LDC2_W:
        return !isPlainConstant(file.u2(at + 1));
      case Opcodes.NEW:
      case Opcodes.INSTANCEOF:
        return !file.className(file.u2(at + 1)).equals(file.name());
      case Opcodes.GETSTATIC:
      case Opcodes.PUTSTATIC:
        return !isOwnField(file.u2(at + 1));
      case Opcodes.GETFIELD:
        return !(thisIsStable
            && instruction > 0
            && blocks.opcode(instruction - 1) == Opcodes.ALOAD_0
            && blocks.first(blocks.blockOf(instruction)) != instruction
            && isOwnField(file.u2(at + 1)));
      default:
        return Opcodes.canThrow(opcode);
    }
  }

  private boolean isPlainConstant(int index) {
    int tag = file.poolTag(index);
    return tag >= 3 && tag <= 6 || tag == 8;
  }

  private boolean isOwnField(int index) {
    ClassFile.Member named = file.member(index);
    if (!named.owner().equals(file.name())) {
      return false;
    }
    for (ClassFile.Field field : file.fields()) {
      if (field.name().equals(named.name()) && field.descriptor().equals(named.descriptor())) {
        return true;
      }
    }
    return false;
  }
}
