package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ACONST_NULL;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.CHECKCAST;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.GOTO;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.POP2;
import static org.objectweb.asm.Opcodes.RETURN;
import static org.objectweb.asm.Opcodes.SWAP;

import io.jvmscope.probe.Lifetimes;
import io.jvmscope.probe.RuntimeMethod;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Has one method's frame refer to what its operand stack refers to, as far as {@link OperandStack}
 * finds that necessary: each place of the stack that needs one has a word of the frame.
 */
final class OperandRoots {
  private final OperandStack stack;
  private final Calls calls;
  private final CountingLocals locals;
  private final int first; // word of the frame

  OperandRoots(OperandStack stack, Calls calls, CountingLocals locals, int first) {
    this.stack = stack;
    this.calls = calls;
    this.locals = locals;
    this.first = first;
  }

  private int word(int position) {
    return first + 4 * stack.positions().get(0, position).cardinality();
  }

  private boolean isHeld(int[] values, int position) {
    return position < values.length && stack.isHeld(values[position]);
  }

  private void call(InsnList code, RuntimeMethod target) {
    code.add(calls.call(target));
  }

  /** Takes a copy of the uppermost value. */
  private void hold(InsnList code, int position) {
    code.add(new InsnNode(DUP));
    code.add(locals.loadFrame());
    code.add(Push.of(word(position)));
    call(code, Lifetimes.HOLD);
  }

  private void drop(InsnList code, int position) {
    code.add(locals.loadFrame());
    code.add(Push.of(word(position)));
    call(code, Lifetimes.DROP);
  }

  private void move(InsnList code, RuntimeMethod how, int from, int to) {
    code.add(locals.loadFrame());
    code.add(Push.of(word(from)));
    code.add(Push.of(word(to)));
    call(code, how);
  }

  /** An exception was caught; it is alone on the stack. */
  void caught(InsnList code, int k) {
    int[] values = stack.before(k);
    if (values != null && isHeld(values, 0)) {
      hold(code, 0);
    }
  }

  /**
   * What comes at an instruction.
   *
   * @param k its number
   * @param keepsOperands whether it has its operands until it has been executed
   */
  void insert(
      InsnList before, InsnList after, int k, AbstractInsnNode instruction, boolean keepsOperands) {
    int[] old = stack.positions().isEmpty() ? null : stack.before(k);
    int opcode = instruction.getOpcode();
    if (old == null || opcode == CHECKCAST || endsFrame(opcode)) {
      return;
    }
    int[] now = stack.after(k);
    if (opcode >= DUP && opcode <= SWAP) {
      copy(after, old, now, opcode == SWAP);
      return;
    }
    boolean isFirst = isCall(instruction) && !keepsOperands || Ways.isBranch(instruction);
    int rest = opcode == POP2 ? now.length : old.length - StackEffect.taken(instruction);
    for (int at = rest; at < old.length; at++) {
      if (isHeld(old, at)) {
        drop(isFirst ? before : after, at);
      }
    }
    push(after, now, k, instruction);
  }

  private static boolean endsFrame(int opcode) {
    return opcode == ATHROW || opcode == GOTO || opcode >= IRETURN && opcode <= RETURN;
  }

  private static boolean isCall(AbstractInsnNode i) {
    return i instanceof MethodInsnNode || i instanceof InvokeDynamicInsnNode;
  }

  /** Holds what an instruction has left, or initialised, if it is uppermost. */
  private void push(InsnList after, int[] now, int k, AbstractInsnNode instruction) {
    int top = now.length - 1;
    boolean isNew = top >= 0 && stack.isMadeBy(now[top], k);
    if (!isNew || !stack.isHeld(now[top]) || instruction.getOpcode() == ACONST_NULL) {
      return;
    }
    hold(after, top);
    for (int at = top - 1; at >= 0 && ConstructorCalls.isConstructor(instruction); at--) {
      if (now[at] == now[top]) {
        move(after, Lifetimes.COPY_WORD, top, at);
      }
    }
  }

  /** From the top down, so that no word is overwritten that is still needed. */
  private void copy(InsnList after, int[] old, int[] now, boolean isSwap) {
    int top = now.length - 1;
    if (isSwap) {
      if (isHeld(now, top) || isHeld(now, top - 1)) {
        move(after, Lifetimes.SWAP_WORDS, top - 1, top);
      }
      return;
    }
    for (int at = top; at >= 0; at--) {
      if (isHeld(now, at)) {
        int from = placeOf(now[at], now, at + 1, now.length);
        from = from < 0 ? placeOf(now[at], old, 0, old.length) : from;
        if (from != at) {
          move(after, Lifetimes.COPY_WORD, from, at);
        }
      } else if (isHeld(old, at)) {
        drop(after, at);
      }
    }
  }

  private int placeOf(int value, int[] values, int from, int to) {
    for (int at = from; at < to; at++) {
      if (stack.isSame(values[at], value)) {
        return at;
      }
    }
    return -1;
  }
}
