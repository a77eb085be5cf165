package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.ISTORE;
import static org.objectweb.asm.Opcodes.JSR;
import static org.objectweb.asm.Opcodes.NEW;
import static org.objectweb.asm.Opcodes.PUTFIELD;
import static org.objectweb.asm.Opcodes.UNINITIALIZED_THIS;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.LabelNode;
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
 *
 * <p>There may be several such calls, one for each way: that of Groovy has one for each constructor
 * that its superclass may turn out to have. It is made before the method is changed.
 */
final class Constructor {
  private static final int FIRST_WITH_FRAMES = 50;

  private final String owner;
  private final AbstractInsnNode[] instructions;
  private final BitSet early = new BitSet();
  private final BitSet calls = new BitSet();

  /** Number of the instruction that calls the other constructor; -1 if there is not just one. */
  final int call;

  Constructor(String owner, int majorVersion, MethodNode method, AbstractInsnNode[] instructions) {
    this.owner = owner;
    this.instructions = instructions;
    boolean isConstructor = method.name.equals("<init>");
    boolean isKept = isConstructor && !storesToThis();
    int found = isKept ? findCall() : -1;
    this.call = found >= 0 && isTheOnlyWay(method, found) ? found : -1;
    OperandStack flow = isConstructor && (call < 0 || writesEarly()) ? flow(method) : null;
    if (flow != null) {
      findEarly(flow);
    }
    if (call >= 0) {
      calls.set(call);
    } else if (flow != null && isKept && majorVersion >= FIRST_WITH_FRAMES) {
      findCalls(flow);
    }
    if (isKept) {
      declareThis(method);
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

  /** A frame before the call says that the object is not initialised. */
  private void declareThis(MethodNode method) {
    boolean isBehind = call < 0;
    for (AbstractInsnNode i = method.instructions.getFirst(); i != null; i = i.getNext()) {
      isBehind |= call >= 0 && i == instructions[call];
      if (isBehind && i instanceof FrameNode frame && !calls.isEmpty() && !isBefore(frame)) {
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

  /** Does a frame say that the object is not initialised? */
  private static boolean isBefore(FrameNode frame) {
    return !frame.local.isEmpty() && frame.local.get(0) == UNINITIALIZED_THIS;
  }

  // ---- by the values on the stack

  private boolean writesEarly() {
    for (int k = 0; k < call; k++) {
      if (isOwnWrite(k)) {
        return true;
      }
    }
    return false;
  }

  private boolean isOwnWrite(int k) {
    return instructions[k].getOpcode() == PUTFIELD
        && ((FieldInsnNode) instructions[k]).owner.equals(owner);
  }

  /** The values before each instruction; null: they cannot be followed. */
  private OperandStack flow(MethodNode method) {
    for (AbstractInsnNode i : instructions) {
      if (i.getOpcode() == JSR) {
        return null;
      }
    }
    Ways ways = new Ways(method);
    SetVariables variables = new SetVariables(ways, new BitSet());
    boolean[] isFollowed = new boolean[method.maxLocals];
    return new OperandStack(ways, instructions, true, isFollowed, variables, new NoTime());
  }

  /** No roots are asked for. */
  private static final class NoTime implements OperandStack.Time {
    @Override
    public boolean passes(int k, boolean hasOperands) {
      return false;
    }
  }

  private void findEarly(OperandStack flow) {
    for (int k = 0; k < instructions.length; k++) {
      int[] values = isOwnWrite(k) ? flow.before(k) : null;
      early.set(k, values != null && flow.isFresh(values[values.length - 2]));
    }
  }

  private void findCalls(OperandStack flow) {
    for (int k = 0; k < instructions.length; k++) {
      int[] values = ConstructorCalls.isConstructor(instructions[k]) ? flow.before(k) : null;
      if (values != null) {
        int object = values[values.length - StackEffect.taken(instructions[k])];
        calls.set(k, flow.isReceiver(object));
      }
    }
  }

  // ---- what it tells

  /** Does an instruction write a field of this object before that is initialised? */
  boolean isEarly(int instruction) {
    return early.get(instruction);
  }

  /** The instructions that call another constructor for this object, one on each way. */
  BitSet calls() {
    return calls;
  }

  /** Is the other one of the same class? */
  boolean callsOwn(int call) {
    return ((MethodInsnNode) instructions[call]).owner.equals(owner);
  }
}
