package io.jvmscope.watch;

import static org.objectweb.asm.Opcodes.*;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Instructions that a condition is made of. Every value goes into a local variable of its own, so
 * the stack is empty wherever control flow meets, and frames are easily told.
 */
final class ConditionCode {
  private static final String CONDITIONS = Type.getInternalName(Conditions.class);
  private static final String PROBES = Type.getInternalName(Probes.class);
  private static final String LOST = "nLost";

  /** As many words of the stack are used at most. */
  static final int MOST_STACK = 6;

  final InsnList code = new InsnList();

  /** What handles errors in the code. */
  final List<TryCatchBlockNode> handlers = new ArrayList<>();

  /** The local that says at the end whether the condition is met. */
  final int result;

  private final int number;
  private final boolean hasFrames;
  private final List<Object> locals;
  private final LabelNode notMet = new LabelNode();
  private final List<Object> localsAtStart;
  private final LabelNode start = new LabelNode();
  private int nextLocal;

  /**
   * The code at the beginning of a method.
   *
   * @param number the method's number
   * @param hasFrames whether code of the class's version has frames
   * @param parameters the locals at the beginning, as frames have them
   * @param firstLocal the first local that the method does not use
   */
  ConditionCode(int number, boolean hasFrames, List<Object> parameters, int firstLocal) {
    this.number = number;
    this.hasFrames = hasFrames;
    locals = new ArrayList<>(parameters);
    fill(locals, firstLocal);
    nextLocal = firstLocal;
    insn(ICONST_0);
    result = store(Type.BOOLEAN_TYPE);
    localsAtStart = List.copyOf(locals);
    code.add(start);
  }

  /**
   * Ends with a value as the result, or where the condition has failed, with false. It is also not
   * met where it cannot be evaluated: a field is not as the class files say that were read for it,
   * since another loader may have made another class of them; or there is no room, which is
   * counted.
   *
   * <p>The handlers lie here, not at the end of the method: what comes behind the call of another
   * constructor, further probes surround with handlers for an object that is initialised.
   */
  void end(int value) {
    load(Type.BOOLEAN_TYPE, value);
    code.add(new VarInsnNode(ISTORE, result));
    LabelNode last = new LabelNode();
    code.add(last);
    jump(GOTO, notMet);
    handle(last, "java/lang/LinkageError");
    jump(GOTO, notMet);
    handle(last, "java/lang/VirtualMachineError");
    code.add(new FieldInsnNode(GETSTATIC, PROBES, LOST, "J"));
    insn(LCONST_1);
    insn(LADD);
    code.add(new FieldInsnNode(PUTSTATIC, PROBES, LOST, "J"));
    place(notMet, localsAtStart.size());
  }

  private void handle(LabelNode last, String error) {
    LabelNode handler = new LabelNode();
    handlers.add(new TryCatchBlockNode(start, last, handler, error));
    code.add(handler);
    if (hasFrames) {
      Object[] all = localsAtStart.toArray();
      code.add(new FrameNode(F_NEW, all.length, all, 1, new Object[] {error}));
    }
    insn(POP);
  }

  /** The first local that this code does not use either. */
  int nextLocal() {
    return nextLocal;
  }

  int nLocals() {
    return locals.size();
  }

  void insn(int opcode) {
    code.add(new InsnNode(opcode));
  }

  void jump(int opcode, LabelNode to) {
    code.add(new JumpInsnNode(opcode, to));
  }

  /** Jumps to where the condition is not met. */
  void fail(int opcode) {
    jump(opcode, notMet);
  }

  /** Where control flow meets; only the first locals have values on all ways. */
  void place(LabelNode label, int nLocals) {
    code.add(label);
    while (locals.size() > nLocals) {
      locals.remove(locals.size() - 1);
    }
    fill(locals, nextLocal); // later values get locals of their own
    if (hasFrames) {
      Object[] all = locals.toArray();
      code.add(new FrameNode(F_NEW, all.length, all, 0, new Object[0]));
    }
  }

  void load(Type type, int local) {
    code.add(new VarInsnNode(type.getOpcode(ILOAD), local));
  }

  /** Puts the value on the stack into a new local, and returns that. */
  int store(Type type) {
    int local = nextLocal;
    code.add(new VarInsnNode(type.getOpcode(ISTORE), local));
    nextLocal += type.getSize();
    locals.add(inFrame(type));
    return local;
  }

  void set(int local) {
    code.add(new VarInsnNode(ISTORE, local));
  }

  void push(int small) {
    code.add(new IntInsnNode(SIPUSH, small));
  }

  /** Takes a literal from the probe. */
  void literal(String name, int index, Type type) {
    push(number);
    push(index);
    helper(name, "(II)" + type.getDescriptor());
  }

  void helper(String name, String descriptor) {
    code.add(new MethodInsnNode(INVOKESTATIC, CONDITIONS, name, descriptor, false));
  }

  /** Adds locals without values, up to a number. */
  static void fill(List<Object> locals, int end) {
    int used = 0;
    for (Object each : locals) {
      used += each == LONG || each == DOUBLE ? 2 : 1;
    }
    while (used++ < end) {
      locals.add(TOP);
    }
  }

  /** What a frame says of a local of a type. */
  static Object inFrame(Type type) {
    return switch (type.getSort()) {
      case Type.LONG -> LONG;
      case Type.DOUBLE -> DOUBLE;
      case Type.FLOAT -> FLOAT;
      case Type.ARRAY, Type.OBJECT -> type.getInternalName();
      default -> INTEGER;
    };
  }
}
