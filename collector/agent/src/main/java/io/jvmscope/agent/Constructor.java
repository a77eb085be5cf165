package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ACONST_NULL;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.CHECKCAST;
import static org.objectweb.asm.Opcodes.DCONST_0;
import static org.objectweb.asm.Opcodes.DCONST_1;
import static org.objectweb.asm.Opcodes.DLOAD;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.GETFIELD;
import static org.objectweb.asm.Opcodes.GETSTATIC;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.ISTORE;
import static org.objectweb.asm.Opcodes.LCONST_0;
import static org.objectweb.asm.Opcodes.LCONST_1;
import static org.objectweb.asm.Opcodes.LDC;
import static org.objectweb.asm.Opcodes.LLOAD;
import static org.objectweb.asm.Opcodes.NEW;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.PUTFIELD;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Where a constructor calls the one of its superclass, or another one of its class. Before, the
 * object is not initialised: the only thing that may be done to it is to write fields of the class.
 * Behind, it is in local 0 up to the end, and the method's stack map frames say so: compilers (that
 * of Kotlin, not javac) leave it out of frames where the program does not need it any more.
 */
final class Constructor {
  private final String owner;
  private final AbstractInsnNode[] instructions;

  /** Number of the instruction that calls the other constructor; -1 if that is not clear. */
  final int call;

  /** Is the other one of the same class? */
  final boolean callsOwn;

  Constructor(String owner, MethodNode method, AbstractInsnNode[] instructions) {
    this.owner = owner;
    this.instructions = instructions;
    boolean isConstructor = method.name.equals("<init>") && !storesToThis();
    int found = isConstructor ? findCall() : -1;
    this.call = found >= 0 && isTheOnlyWay(method, found) ? found : -1;
    this.callsOwn = call >= 0 && ((MethodInsnNode) instructions[call]).owner.equals(owner);
    if (call >= 0) {
      declareThis();
    }
  }

  private boolean storesToThis() {
    for (AbstractInsnNode i : instructions) {
      if (i.getOpcode() >= ISTORE && i.getOpcode() <= ASTORE && ((VarInsnNode) i).var == 0) {
        return true;
      }
    }
    return false;
  }

  /** The one call of a constructor that no {@code new} came before for. */
  private int findCall() {
    List<String> made = new ArrayList<>();
    int found = -1;
    for (int k = 0; k < instructions.length; k++) {
      AbstractInsnNode i = instructions[k];
      if (i.getOpcode() == NEW) {
        made.add(((TypeInsnNode) i).desc);
      } else if (i.getOpcode() == INVOKESPECIAL && ((MethodInsnNode) i).name.equals("<init>")) {
        int last = made.lastIndexOf(((MethodInsnNode) i).owner);
        if (last >= 0) {
          made.remove(last);
        } else if (found >= 0) {
          return -1;
        } else {
          found = k;
        }
      }
    }
    return found;
  }

  /** Does what stands behind the call run after it only? */
  private boolean isTheOnlyWay(MethodNode method, int call) {
    int end = method.instructions.indexOf(instructions[call]);
    for (int k = 0; k < call; k++) {
      for (LabelNode target : Ways.targets(instructions[k])) {
        if (method.instructions.indexOf(target) > end) {
          return false;
        }
      }
    }
    for (TryCatchBlockNode range : method.tryCatchBlocks) {
      if (method.instructions.indexOf(range.start) <= end
          && method.instructions.indexOf(range.handler) > end) {
        return false;
      }
    }
    return true;
  }

  private void declareThis() {
    for (AbstractInsnNode i = instructions[call]; i != null; i = i.getNext()) {
      if (i instanceof FrameNode frame) {
        List<Object> locals = new ArrayList<>(frame.local);
        if (locals.isEmpty()) {
          locals.add(owner);
        } else {
          locals.set(0, owner);
        }
        frame.local = locals;
      }
    }
  }

  /** Does an instruction write a field before the object is initialised? */
  boolean isEarly(int instruction) {
    AbstractInsnNode i = instructions[instruction];
    return instruction < call
        && i.getOpcode() == PUTFIELD
        && ((FieldInsnNode) i).owner.equals(owner);
  }

  /** Is it surely this object that an early write is to? Its value is computed without branches. */
  boolean isOfThis(int write) {
    int above = Type.getType(((FieldInsnNode) instructions[write]).desc).getSize();
    int at = write - 1;
    while (above > 0 && at > 0) { // words on the stack above the object, before the instruction
      int effect = effect(instructions[at]);
      int pushed = effect & 3;
      if (effect < 0 || pushed > above) {
        return false;
      }
      above += (effect >> 2) - pushed;
      at--;
    }
    return above == 0
        && at >= 0
        && instructions[at] instanceof VarInsnNode load
        && load.getOpcode() == ALOAD
        && load.var == 0;
  }

  /** Words that an instruction takes, times four, and puts on the stack; -1 if not known. */
  private static int effect(AbstractInsnNode i) {
    int opcode = i.getOpcode();
    if (i instanceof MethodInsnNode call) {
      int sizes = Type.getArgumentsAndReturnSizes(call.desc);
      return opcode == INVOKESTATIC ? sizes - 4 : sizes;
    }
    if (i instanceof VarInsnNode && opcode <= ALOAD) {
      return opcode == LLOAD || opcode == DLOAD ? 2 : 1;
    }
    return switch (opcode) {
      case GETSTATIC -> Type.getType(((FieldInsnNode) i).desc).getSize();
      case GETFIELD -> 4 | Type.getType(((FieldInsnNode) i).desc).getSize();
      case LCONST_0, LCONST_1, DCONST_0, DCONST_1 -> 2;
      case LDC ->
          ((LdcInsnNode) i).cst instanceof Long || ((LdcInsnNode) i).cst instanceof Double ? 2 : 1;
      case NEW -> 1;
      case CHECKCAST -> 4 | 1;
      case DUP -> 4 | 2;
      case POP -> 4;
      default -> opcode >= ACONST_NULL && opcode < LDC ? 1 : -1;
    };
  }
}
