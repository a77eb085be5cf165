package io.jvmscope.classfile;

/**
 * The JVM's instructions as the class file has them (JVMS 6.5): mnemonics, lengths and what each
 * can do to control flow. {@code wide}, {@code ldc_w} and {@code goto_w} are opcodes of their own.
 */
public final class Opcodes {
  public static final int BIPUSH = 16;
  public static final int SIPUSH = 17;
  public static final int LDC = 18;
  public static final int LDC_W = 19;
  public static final int LDC2_W = 20;
  public static final int ILOAD = 21;
  public static final int ALOAD = 25;
  public static final int ALOAD_0 = 42;
  public static final int IALOAD = 46;
  public static final int SALOAD = 53;
  public static final int ISTORE = 54;
  public static final int ASTORE = 58;
  public static final int ASTORE_0 = 75;
  public static final int IASTORE = 79;
  public static final int SASTORE = 86;
  public static final int IDIV = 108;
  public static final int LDIV = 109;
  public static final int IREM = 112;
  public static final int LREM = 113;
  public static final int IINC = 132;
  public static final int IFEQ = 153;
  public static final int GOTO = 167;
  public static final int JSR = 168;
  public static final int RET = 169;
  public static final int TABLESWITCH = 170;
  public static final int LOOKUPSWITCH = 171;
  public static final int IRETURN = 172;
  public static final int RETURN = 177;
  public static final int GETSTATIC = 178;
  public static final int PUTSTATIC = 179;
  public static final int GETFIELD = 180;
  public static final int PUTFIELD = 181;
  public static final int INVOKEVIRTUAL = 182;
  public static final int INVOKESPECIAL = 183;
  public static final int INVOKESTATIC = 184;
  public static final int INVOKEINTERFACE = 185;
  public static final int INVOKEDYNAMIC = 186;
  public static final int NEW = 187;
  public static final int NEWARRAY = 188;
  public static final int ANEWARRAY = 189;
  public static final int ARRAYLENGTH = 190;
  public static final int ATHROW = 191;
  public static final int CHECKCAST = 192;
  public static final int INSTANCEOF = 193;
  public static final int MONITORENTER = 194;
  public static final int MONITOREXIT = 195;
  public static final int WIDE = 196;
  public static final int MULTIANEWARRAY = 197;
  public static final int IFNULL = 198;
  public static final int IFNONNULL = 199;
  public static final int GOTO_W = 200;
  public static final int JSR_W = 201;

  private static final String[] MNEMONICS =
      ("nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0"
              + " lconst_1 fconst_0 fconst_1 fconst_2 dconst_0 dconst_1 bipush sipush ldc ldc_w"
              + " ldc2_w iload lload fload dload aload iload_0 iload_1 iload_2 iload_3 lload_0"
              + " lload_1 lload_2 lload_3 fload_0 fload_1 fload_2 fload_3 dload_0 dload_1 dload_2"
              + " dload_3 aload_0 aload_1 aload_2 aload_3 iaload laload faload daload aaload baload"
              + " caload saload istore lstore fstore dstore astore istore_0 istore_1 istore_2"
              + " istore_3 lstore_0 lstore_1 lstore_2 lstore_3 fstore_0 fstore_1 fstore_2 fstore_3"
              + " dstore_0 dstore_1 dstore_2 dstore_3 astore_0 astore_1 astore_2 astore_3 iastore"
              + " lastore fastore dastore aastore bastore castore sastore pop pop2 dup dup_x1"
              + " dup_x2 dup2 dup2_x1 dup2_x2 swap iadd ladd fadd dadd isub lsub fsub dsub imul"
              + " lmul fmul dmul idiv ldiv fdiv ddiv irem lrem frem drem ineg lneg fneg dneg ishl"
              + " lshl ishr lshr iushr lushr iand land ior lor ixor lxor iinc i2l i2f i2d l2i l2f"
              + " l2d f2i f2l f2d d2i d2l d2f i2b i2c i2s lcmp fcmpl fcmpg dcmpl dcmpg ifeq ifne"
              + " iflt ifge ifgt ifle if_icmpeq if_icmpne if_icmplt if_icmpge if_icmpgt if_icmple"
              + " if_acmpeq if_acmpne goto jsr ret tableswitch lookupswitch ireturn lreturn"
              + " freturn dreturn areturn return getstatic putstatic getfield putfield"
              + " invokevirtual invokespecial invokestatic invokeinterface invokedynamic new"
              + " newarray anewarray arraylength athrow checkcast instanceof monitorenter"
              + " monitorexit wide multianewarray ifnull ifnonnull goto_w jsr_w")
          .split(" ");

  private Opcodes() {}

  /** The number of opcodes a class file may hold: 202, {@code nop} (0) to {@code jsr_w} (201). */
  public static int count() {
    return MNEMONICS.length;
  }

  /** The mnemonic of an opcode, as in JVMS 6.5. */
  public static String mnemonic(int opcode) {
    return MNEMONICS[opcode];
  }

  /** Length in bytes of the instruction at {@code offset} of a method's code. */
  public static int length(ClassFile file, int codeStart, int offset) {
    int at = codeStart + offset;
    int operands = codeStart + ((offset + 4) & ~3); // of a switch
    int opcode = file.u1(at);
    return switch (opcode) {
      case WIDE -> file.u1(at + 1) == IINC ? 6 : 4;
      case TABLESWITCH -> {
        int low = file.s4(operands + 4);
        int high = file.s4(operands + 8);
        yield operands + 12 + 4 * (high - low + 1) - at;
      }
      case LOOKUPSWITCH -> operands + 8 + 8 * file.s4(operands + 4) - at;
      default -> {
        if (opcode > JSR_W) {
          throw new ClassFormatException("opcode " + opcode + " at offset " + offset);
        }
        yield fixedLength(opcode);
      }
    };
  }

  /** Length in bytes of an instruction that is always the same. */
  private static int fixedLength(int opcode) {
    return switch (opcode) {
      case INVOKEINTERFACE, INVOKEDYNAMIC, GOTO_W, JSR_W -> 5;
      case MULTIANEWARRAY -> 4;
      case SIPUSH, LDC_W, LDC2_W, IINC, IFNULL, IFNONNULL, NEW, ANEWARRAY, CHECKCAST, INSTANCEOF ->
          3;
      case BIPUSH, LDC, RET, NEWARRAY -> 2;
      default -> {
        boolean hasLocal =
            opcode >= ILOAD && opcode <= ALOAD || opcode >= ISTORE && opcode <= ASTORE;
        boolean hasOffsetOrMember =
            opcode >= IFEQ && opcode <= JSR || opcode >= GETSTATIC && opcode <= INVOKESTATIC;
        yield hasLocal ? 2 : hasOffsetOrMember ? 3 : 1;
      }
    };
  }

  /** Is this one of the five invoke instructions? */
  public static boolean isInvoke(int opcode) {
    return opcode >= INVOKEVIRTUAL && opcode <= INVOKEDYNAMIC;
  }

  /** Does it call what the class of a receiver has, which may be null? */
  public static boolean isDispatched(int opcode) {
    return opcode == INVOKEVIRTUAL || opcode == INVOKEINTERFACE;
  }

  /** Does the instruction jump to one named offset, always or on a condition? */
  public static boolean isJump(int opcode) {
    return opcode >= IFEQ && opcode <= JSR || opcode >= IFNULL && opcode <= JSR_W;
  }

  /** Is the instruction a return? */
  public static boolean isReturn(int opcode) {
    return opcode >= IRETURN && opcode <= RETURN;
  }

  /**
   * Can control not continue at the next instruction? {@code ret} is left to {@link BasicBlocks}.
   */
  static boolean endsFlow(int opcode) {
    return opcode == GOTO
        || opcode == GOTO_W
        || opcode == TABLESWITCH
        || opcode == LOOKUPSWITCH
        || opcode == ATHROW
        || isReturn(opcode);
  }

  /**
   * Can the instruction complete abruptly or make the VM run Java code (resolution, initialisation,
   * construction of an exception)? Invokes are included. Loads of string and number constants are
   * not: the plan asks the constant pool about {@code ldc}. The returns of synchronized methods are
   * left out, since the structured locking that every compiler emits cannot fail there.
   */
  public static boolean canThrow(int opcode) {
    if (opcode >= IALOAD && opcode <= SALOAD || opcode >= IASTORE && opcode <= SASTORE) {
      return true;
    }
    if (opcode == IDIV || opcode == LDIV || opcode == IREM || opcode == LREM) {
      return true;
    }
    return opcode >= GETSTATIC && opcode <= MONITOREXIT || opcode == MULTIANEWARRAY;
  }
}
