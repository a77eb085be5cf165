package io.jvmscope.classfile;

import java.util.Arrays;

/**
 * The basic blocks of a method: one starts at the entry, at a branch target, after a branch,
 * switch, return or throw, and at an exception handler; an invoke does not end one (METRICS,
 * terms).
 *
 * <p>Instructions are numbered in the order of their offsets, blocks too.
 */
public final class BasicBlocks {
  private final ClassFile file;
  private final ClassFile.Code code;
  private final int[] offsets; // of each instruction, then the code's length
  private final int[] indexOf; // instruction at each offset, -1 inside an instruction
  private final int[] leaders; // instruction that starts each block, then the number of them
  private final boolean entryIsTarget;

  /** Divides a method's code; {@link ClassFormatException} if it jumps into an instruction. */
  public BasicBlocks(ClassFile file, ClassFile.Code code) {
    this.file = file;
    this.code = code;
    this.indexOf = new int[code.length() + 1];
    this.offsets = findInstructions();
    boolean[] leads = new boolean[offsets.length];
    this.entryIsTarget = markLeaders(leads);
    leads[0] = true;
    int[] found = new int[offsets.length];
    int n = 0;
    for (int i = 0; i < offsets.length - 1; i++) {
      if (leads[i]) {
        found[n++] = i;
      }
    }
    found[n] = offsets.length - 1;
    leaders = Arrays.copyOf(found, n + 1);
  }

  private int[] findInstructions() {
    Arrays.fill(indexOf, -1);
    int[] found = new int[code.length() + 1];
    int n = 0;
    for (int at = 0; at < code.length(); at += Opcodes.length(file, code.start(), at)) {
      indexOf[at] = n;
      found[n++] = at;
    }
    indexOf[code.length()] = n;
    found[n] = code.length();
    return Arrays.copyOf(found, n + 1);
  }

  /** Marks all leaders but the entry; is the entry a target as well? */
  private boolean markLeaders(boolean[] leads) {
    for (int i = 0; i < offsets.length - 1; i++) {
      if (Opcodes.isJump(opcode(i)) || endsFlow(i)) {
        leads[i + 1] = true;
        for (int target : targets(i)) {
          leads[target] = true;
        }
      }
    }
    for (ClassFile.Handler handler : code.handlers()) {
      leads[instructionAt(handler.handler())] = true;
    }
    return leads[0];
  }

  /** Instructions that the instruction may jump to; not the one that follows it. */
  public int[] targets(int instruction) {
    int offset = offsets[instruction];
    int at = code.start() + offset;
    int opcode = file.u1(at);
    if (opcode == Opcodes.GOTO_W || opcode == Opcodes.JSR_W) {
      return new int[] {instructionAt(offset + file.s4(at + 1))};
    }
    if (Opcodes.isJump(opcode)) {
      return new int[] {instructionAt(offset + file.s2(at + 1))};
    }
    if (opcode != Opcodes.TABLESWITCH && opcode != Opcodes.LOOKUPSWITCH) {
      return NO_TARGETS;
    }
    int operands = code.start() + ((offset + 4) & ~3);
    boolean table = opcode == Opcodes.TABLESWITCH;
    int pairs = table ? file.s4(operands + 8) - file.s4(operands + 4) + 1 : file.s4(operands + 4);
    int first = operands + (table ? 12 : 12);
    int step = table ? 4 : 8;
    int[] targets = new int[pairs + 1];
    targets[0] = instructionAt(offset + file.s4(operands));
    for (int i = 0; i < pairs; i++) {
      targets[i + 1] = instructionAt(offset + file.s4(first + i * step));
    }
    return targets;
  }

  private static final int[] NO_TARGETS = {};

  /** The number of the instruction that starts at an offset. */
  public int instructionAt(int offset) {
    int index = offset < 0 || offset >= indexOf.length ? -1 : indexOf[offset];
    if (index < 0) {
      throw new ClassFormatException("no instruction starts at offset " + offset);
    }
    return index;
  }

  /** Number of instructions. */
  public int instructionCount() {
    return offsets.length - 1;
  }

  /** Offset of an instruction's opcode in the method's code. */
  public int offset(int instruction) {
    return offsets[instruction];
  }

  public int opcode(int instruction) {
    return file.u1(code.start() + offsets[instruction]);
  }

  /** Does an instruction return from a subroutine? */
  boolean isRet(int instruction) {
    int opcode = opcode(instruction);
    return opcode == Opcodes.RET
        || opcode == Opcodes.WIDE && file.u1(position(instruction) + 1) == Opcodes.RET;
  }

  /** Can control not continue at the next instruction? */
  boolean endsFlow(int instruction) {
    return Opcodes.endsFlow(opcode(instruction)) || isRet(instruction);
  }

  /** Index in the class file's bytes of an instruction's opcode. */
  public int position(int instruction) {
    return code.start() + offsets[instruction];
  }

  /** Number of basic blocks. */
  public int count() {
    return leaders.length - 1;
  }

  /** The first instruction of a block; that of block {@code count()} is the instruction count. */
  public int first(int block) {
    return leaders[block];
  }

  /** The last instruction of a block. */
  public int last(int block) {
    return leaders[block + 1] - 1;
  }

  /** The block that holds an instruction. */
  public int blockOf(int instruction) {
    int found = Arrays.binarySearch(leaders, instruction);
    return found >= 0 ? found : -found - 2;
  }

  /** May control come back to the method's first instruction after entry? */
  public boolean entryIsTarget() {
    return entryIsTarget;
  }
}
