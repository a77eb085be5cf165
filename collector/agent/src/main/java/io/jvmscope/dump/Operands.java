package io.jvmscope.dump;

import io.jvmscope.classfile.BasicBlocks;
import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.Opcodes;
import io.jvmscope.tables.Json;
import java.nio.charset.StandardCharsets;

/**
 * Operands of the instructions of one class as text: {@code owner.name:descriptor} for members,
 * class names in JVM form, constants in Java's notation, offsets of targets, numbers of local
 * variables.
 */
final class Operands {
  private static final int BIPUSH = 16;
  private static final int SIPUSH = 17;
  private static final int ILOAD = 21;
  private static final int ISTORE = 54;

  private static final String[] PRIMITIVES = {
    "boolean", "char", "float", "double", "byte", "short", "int", "long"
  };

  private static final String[] HANDLE_KINDS = {
    "getfield",
    "getstatic",
    "putfield",
    "putstatic",
    "invokevirtual",
    "invokestatic",
    "invokespecial",
    "newinvokespecial",
    "invokeinterface"
  };

  private static final byte[][] SMALL_NUMBERS = new byte[512][];

  static {
    for (int i = 0; i < SMALL_NUMBERS.length; i++) {
      SMALL_NUMBERS[i] = encoded(Integer.toString(i));
    }
  }

  private final ClassFile file;
  private final String hiddenName;
  private final byte[][] entries; // of the constant pool, encoded when they are first asked for

  /** For a hidden class, {@code canonicalName} takes the place of the name in the file. */
  Operands(ClassFile file, String canonicalName) {
    this.file = file;
    this.hiddenName = canonicalName;
    this.entries = new byte[file.poolSize()][];
  }

  /** The operand of an instruction in UTF-8; null if it has none. It may be shared. */
  byte[] of(BasicBlocks blocks, int instruction) {
    int at = blocks.position(instruction);
    int opcode = blocks.opcode(instruction);
    if (Opcodes.isJump(opcode)) {
      return number(blocks.offset(blocks.targets(instruction)[0]));
    }
    if (opcode >= ILOAD && opcode <= Opcodes.ALOAD
        || opcode >= ISTORE && opcode <= Opcodes.ASTORE
        || opcode == Opcodes.RET) {
      return number(file.u1(at + 1));
    }
    return switch (opcode) {
      case BIPUSH -> number((byte) file.u1(at + 1));
      case SIPUSH -> number(file.s2(at + 1));
      case Opcodes.LDC -> entry(file.u1(at + 1));
      case Opcodes.LDC_W,
          Opcodes.LDC2_W,
          Opcodes.GETSTATIC,
          Opcodes.PUTSTATIC,
          Opcodes.GETFIELD,
          Opcodes.PUTFIELD,
          Opcodes.INVOKEVIRTUAL,
          Opcodes.INVOKESPECIAL,
          Opcodes.INVOKESTATIC,
          Opcodes.INVOKEINTERFACE,
          Opcodes.INVOKEDYNAMIC,
          Opcodes.NEW,
          Opcodes.ANEWARRAY,
          Opcodes.CHECKCAST,
          Opcodes.INSTANCEOF ->
          entry(file.u2(at + 1));
      case Opcodes.IINC -> encoded(file.u1(at + 1) + " " + (byte) file.u1(at + 2));
      case Opcodes.TABLESWITCH, Opcodes.LOOKUPSWITCH -> encoded(targets(blocks, instruction));
      case Opcodes.NEWARRAY -> encoded(PRIMITIVES[file.u1(at + 1) - 4 & 7]);
      case Opcodes.MULTIANEWARRAY ->
          encoded(name(file.className(file.u2(at + 1))) + " " + file.u1(at + 3));
      case Opcodes.WIDE -> encoded(wide(at));
      default -> null;
    };
  }

  private static byte[] encoded(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] number(int value) {
    return value >= 0 && value < SMALL_NUMBERS.length
        ? SMALL_NUMBERS[value]
        : encoded(Integer.toString(value));
  }

  /** An entry of the constant pool. */
  private byte[] entry(int index) {
    byte[] known = entries[index];
    if (known == null) {
      String text = text(index);
      known = text == null ? null : encoded(text);
      entries[index] = known;
    }
    return known;
  }

  private String wide(int at) {
    int opcode = file.u1(at + 1);
    String operand = Opcodes.mnemonic(opcode) + " " + file.u2(at + 2);
    return opcode == Opcodes.IINC ? operand + " " + file.s2(at + 4) : operand;
  }

  /** The default target, then the others in the order of the file. */
  private static String targets(BasicBlocks blocks, int instruction) {
    StringBuilder text = new StringBuilder();
    for (int target : blocks.targets(instruction)) {
      text.append(text.length() == 0 ? "" : " ").append(blocks.offset(target));
    }
    return text.toString();
  }

  private String member(ClassFile.Member member) {
    String named = member.name() + ":" + descriptor(member.descriptor());
    return member.owner() == null ? named : name(member.owner()) + "." + named;
  }

  /** The named owner of a member; null for none. */
  String owner(String className) {
    return className == null ? null : name(className);
  }

  private String name(String className) {
    if (hiddenName == null || !className.contains(file.name())) {
      return className;
    }
    return className.equals(file.name()) ? hiddenName : descriptor(className);
  }

  /** A descriptor in which the class's own name is canonical. */
  String descriptor(String text) {
    return hiddenName == null
        ? text
        : text.replace("L" + file.name() + ";", "L" + hiddenName + ";");
  }

  private String text(int index) {
    int at = file.poolOffset(index);
    return switch (file.poolTag(index)) {
      case 3 -> Integer.toString(file.s4(at + 1));
      case 4 -> Float.toString(Float.intBitsToFloat(file.s4(at + 1)));
      case 5 -> Long.toString(file.s8(at + 1));
      case 6 -> Double.toString(Double.longBitsToDouble(file.s8(at + 1)));
      case 7 -> name(file.className(index));
      case 8 -> Json.text(file.utf8(file.u2(at + 1)));
      case 9, 10, 11 -> member(file.member(index));
      case 15 ->
          HANDLE_KINDS[(file.u1(at + 1) - 1) % HANDLE_KINDS.length]
              + " "
              + member(file.member(file.u2(at + 2)));
      case 16 -> descriptor(file.utf8(file.u2(at + 1)));
      case 17, 18 -> member(file.dynamic(index));
      default -> null;
    };
  }
}
