package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.DOUBLE;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.DUP2;
import static org.objectweb.asm.Opcodes.F_NEW;
import static org.objectweb.asm.Opcodes.GOTO;
import static org.objectweb.asm.Opcodes.LONG;
import static org.objectweb.asm.Opcodes.MONITOREXIT;
import static org.objectweb.asm.Opcodes.NEW;
import static org.objectweb.asm.Opcodes.NOP;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.TOP;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Guards what is inserted into handlers that are entered again for what is thrown in them.
 *
 * <p>The handler of {@code synchronized} and of {@code finally} covers its own first instructions,
 * as compilers of Java have it. They call nothing, but counting does: where the stack has
 * overflowed and has no room for that call, the handler would be entered again, as deep as before,
 * for ever. So an error there ends what was inserted at that place, and the handler goes on with
 * what it had on the stack. What was not counted then is missing.
 *
 * <p>Made before anything is inserted, and applied last. Without lambdas or records, as this runs
 * before the program has used any.
 */
final class HandlerGuards {
  private static final int MOST_OPERANDS = 2;

  private final MethodNode method;
  private final boolean hasFrames;
  private final List<Handler> handlers = new ArrayList<>();
  private int local;

  /** A handler, and its own instructions from the first one to the first that is not guarded. */
  private static final class Handler {
    final LabelNode label;
    final List<AbstractInsnNode> instructions = new ArrayList<>();

    /** Where the method comes from elsewhere between an instruction and the next, or the latter. */
    final List<AbstractInsnNode> joins = new ArrayList<>();

    Handler(LabelNode label, AbstractInsnNode first) {
      this.label = label;
      instructions.add(first);
    }
  }

  HandlerGuards(MethodNode method, boolean hasFrames) {
    this.method = method;
    this.hasFrames = hasFrames;
    if (method.tryCatchBlocks.isEmpty()) {
      return;
    }
    BitSet targets = targets();
    Map<Integer, BitSet> next = next();
    BitSet known = new BitSet();
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      AbstractInsnNode first = CountingLocals.nextReal(block.handler);
      int at = method.instructions.indexOf(first);
      if (!known.get(at) && reaches(at, next)) {
        handlers.add(covered(new Handler(block.handler, first), targets));
      }
      known.set(at);
    }
  }

  /** The labels to which branches lead, by their places in the list. */
  private BitSet targets() {
    BitSet found = new BitSet();
    for (AbstractInsnNode each : method.instructions) {
      if (Ways.isBranch(each)) {
        for (LabelNode target : Ways.targets(each)) {
          found.set(method.instructions.indexOf(target));
        }
      }
    }
    return found;
  }

  /** The handlers that may see what is thrown at the beginning of each, by first instructions. */
  private Map<Integer, BitSet> next() {
    Map<Integer, BitSet> next = new HashMap<>();
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      AbstractInsnNode first = CountingLocals.nextReal(block.handler);
      int at = method.instructions.indexOf(first);
      if (!next.containsKey(at)) {
        next.put(at, covering(first));
      }
    }
    return next;
  }

  /** The handlers of an instruction, by the places of their first ones. */
  private BitSet covering(AbstractInsnNode instruction) {
    BitSet found = new BitSet();
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      if (covers(block, instruction)) {
        found.set(method.instructions.indexOf(CountingLocals.nextReal(block.handler)));
      }
    }
    return found;
  }

  private boolean covers(TryCatchBlockNode block, AbstractInsnNode instruction) {
    int at = method.instructions.indexOf(instruction);
    return method.instructions.indexOf(block.start) <= at
        && at < method.instructions.indexOf(block.end);
  }

  /** May what is thrown in a handler come to it again? */
  private static boolean reaches(int handler, Map<Integer, BitSet> next) {
    BitSet reached = (BitSet) next.get(handler).clone();
    BitSet passed = new BitSet();
    while (!reached.get(handler)) {
      int each = reached.nextSetBit(0);
      while (each >= 0 && passed.get(each)) {
        each = reached.nextSetBit(each + 1);
      }
      if (each < 0) {
        return false;
      }
      passed.set(each);
      reached.or(next.get(each));
    }
    return true;
  }

  /**
   * The instructions that only move references and leave monitors, while they are covered, and the
   * one behind them, up to where the method comes from elsewhere, too: what compilers of Java have
   * there. Eclipse's leaves the exception on the stack while the monitor comes onto it, and javac's
   * stores it.
   */
  private Handler covered(Handler handler, BitSet targets) {
    AbstractInsnNode each = handler.instructions.get(0);
    int nOperands = 1; // the exception
    while (isMove(each.getOpcode(), nOperands) && !covering(each).isEmpty()) {
      nOperands += each.getOpcode() == ALOAD ? 1 : -1;
      AbstractInsnNode following = CountingLocals.nextReal(each.getNext());
      if (following == null) {
        break;
      }
      AbstractInsnNode join = join(each, following, targets);
      handler.instructions.add(following);
      handler.joins.add(join);
      if (join != following) {
        break;
      }
      each = following;
    }
    return handler;
  }

  /** Whether an instruction takes a reference from the stack, or puts one of few onto it. */
  private static boolean isMove(int opcode, int nOperands) {
    return opcode == ALOAD
        ? nOperands < MOST_OPERANDS
        : nOperands > 0 && (opcode == ASTORE || opcode == MONITOREXIT);
  }

  /**
   * Surrounds what was inserted; takes local variables behind all others.
   *
   * @param hasSnippets whether what comes before an instruction may leave values for what comes
   *     behind it, in variables that no frame has: then it is guarded only where none does
   */
  void insert(boolean hasSnippets) {
    local = method.maxLocals;
    for (Handler handler : handlers) {
      State state = hasFrames ? new State(frameAt(handler.label)) : null;
      AbstractInsnNode before = handler.label;
      int nOperands = 1; // the exception
      for (int k = 0; k < handler.instructions.size(); k++) {
        AbstractInsnNode instruction = handler.instructions.get(k);
        if (hasSnippets && (before != handler.label || instruction.getOpcode() != ASTORE)) {
          break;
        }
        AbstractInsnNode stop = k == 0 ? instruction : handler.joins.get(k - 1);
        guard(before, instruction, stop, nOperands, state);
        if (state != null) {
          state.pass(instruction);
        }
        nOperands += instruction.getOpcode() == ALOAD ? 1 : -1;
        before = instruction;
      }
    }
  }

  /**
   * Surrounds what is between two instructions, up to where the method comes from elsewhere, where
   * only few references are on the stack.
   */
  private void guard(
      AbstractInsnNode before,
      AbstractInsnNode end,
      AbstractInsnNode stop,
      int nOperands,
      State state) {
    AbstractInsnNode inserted = CountingLocals.nextReal(before.getNext());
    if (inserted == end || stop != end && CountingLocals.nextReal(stop) == inserted) {
      return;
    }
    method.maxLocals = Math.max(method.maxLocals, local + nOperands);
    LabelNode from = new LabelNode();
    LabelNode to = new LabelNode();
    LabelNode guard = new LabelNode();
    if (nOperands > 0) {
      method.instructions.insertBefore(inserted, new InsnNode(nOperands == 1 ? DUP : DUP2));
    }
    for (int at = nOperands - 1; at >= 0; at--) {
      method.instructions.insertBefore(inserted, new VarInsnNode(ASTORE, local + at));
    }
    method.instructions.insertBefore(inserted, from);
    AbstractInsnNode place = labelOf(stop);
    method.instructions.insertBefore(place, new InsnNode(NOP)); // frames of what was inserted end
    method.instructions.insertBefore(place, to);
    method.instructions.add(guard);
    if (state != null) {
      for (AbstractInsnNode each = from; each != to; each = each.getNext()) {
        if (each instanceof FrameNode within) {
          within.local = new State(within).with(local, state.operands);
        }
      }
      if (stop == end) { // else it is the method's own
        method.instructions.insert(to, frame(state.locals(), state.operands));
      }
      List<Object> locals = state.with(local, state.operands);
      method.instructions.add(frame(locals, List.of("java/lang/Throwable")));
    }
    method.instructions.add(new InsnNode(POP));
    for (int at = 0; at < nOperands; at++) {
      method.instructions.add(new VarInsnNode(ALOAD, local + at));
    }
    method.instructions.add(new JumpInsnNode(GOTO, to));
    int first = 0;
    while (first < method.tryCatchBlocks.size()
        && !covers(method.tryCatchBlocks.get(first), inserted)) {
      first++; // those of code within what was inserted come first
    }
    method.tryCatchBlocks.add(first, new TryCatchBlockNode(from, to, guard, null));
  }

  /** The label by which frames name the object of a {@code new}, which stays next to that. */
  private static AbstractInsnNode labelOf(AbstractInsnNode instruction) {
    AbstractInsnNode label = instruction.getPrevious();
    return instruction.getOpcode() == NEW && label instanceof LabelNode ? label : instruction;
  }

  /** Where the method comes from elsewhere between two instructions, or the second of them. */
  private AbstractInsnNode join(AbstractInsnNode before, AbstractInsnNode end, BitSet targets) {
    AbstractInsnNode each = before;
    while (each != end && !targets.get(method.instructions.indexOf(each))) {
      each = each.getNext();
    }
    return each;
  }

  private static FrameNode frameAt(LabelNode handler) {
    AbstractInsnNode each = handler;
    while (each.getOpcode() < 0) {
      if (each instanceof FrameNode frame) {
        return frame;
      }
      each = each.getNext();
    }
    throw new IllegalStateException("a handler without a frame");
  }

  private static FrameNode frame(List<Object> locals, List<Object> operands) {
    return new FrameNode(
        F_NEW, locals.size(), locals.toArray(), operands.size(), operands.toArray());
  }

  /** The types of local variables, and of the operands on the stack. */
  private static final class State {
    private final List<Object> slots = new ArrayList<>(); // null: the second of a long or double
    private final List<Object> operands;

    State(FrameNode frame) {
      for (Object type : frame.local) {
        slots.add(type);
        if (type == LONG || type == DOUBLE) {
          slots.add(null);
        }
      }
      operands = new ArrayList<>(frame.stack);
    }

    void pass(AbstractInsnNode instruction) {
      switch (instruction.getOpcode()) {
        case ALOAD -> operands.add(slots.get(((VarInsnNode) instruction).var));
        case ASTORE -> set(slots, ((VarInsnNode) instruction).var, pop());
        case MONITOREXIT -> pop();
        default -> operands.clear(); // the last one: what is behind it is not guarded
      }
    }

    private Object pop() {
      return operands.remove(operands.size() - 1);
    }

    private static void set(List<Object> slots, int index, Object type) {
      while (slots.size() <= index) {
        slots.add(TOP);
      }
      if (slots.get(index) == null) {
        slots.set(index - 1, TOP);
      }
      if (index + 1 < slots.size() && slots.get(index + 1) == null) {
        slots.set(index + 1, TOP);
      }
      slots.set(index, type);
    }

    List<Object> locals() {
      return locals(slots);
    }

    /** The types of local variables where those from an index on have others. */
    List<Object> with(int index, List<Object> types) {
      List<Object> more = new ArrayList<>(slots);
      for (int at = 0; at < types.size(); at++) {
        set(more, index + at, types.get(at));
      }
      return locals(more);
    }

    private static List<Object> locals(List<Object> slots) {
      List<Object> found = new ArrayList<>();
      for (Object type : slots) {
        if (type != null) {
          found.add(type);
        }
      }
      return found;
    }
  }
}
