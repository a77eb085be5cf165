package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.DOUBLE;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.F_NEW;
import static org.objectweb.asm.Opcodes.GOTO;
import static org.objectweb.asm.Opcodes.LONG;
import static org.objectweb.asm.Opcodes.MONITOREXIT;
import static org.objectweb.asm.Opcodes.NOP;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.TOP;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * as javac has it. They call nothing, but counting does: where the stack has overflowed and has no
 * room for that call, the handler would be entered again, as deep as before, for ever. So an error
 * there ends what was inserted at that place, and the handler goes on with what it had on the
 * stack. What was not counted then is missing.
 *
 * <p>Made before anything is inserted, and applied last. Without lambdas or records, as this runs
 * before the program has used any.
 */
final class HandlerGuards {
  private final MethodNode method;
  private final boolean hasFrames;
  private final List<Handler> handlers = new ArrayList<>();
  private final Set<AbstractInsnNode> ownFrames = identities();
  private int local;

  /** A handler, and its own instructions from the first one to the first that is not guarded. */
  private static final class Handler {
    final LabelNode label;
    final List<AbstractInsnNode> instructions;

    Handler(LabelNode label, List<AbstractInsnNode> instructions) {
      this.label = label;
      this.instructions = instructions;
    }
  }

  HandlerGuards(MethodNode method, boolean hasFrames) {
    this.method = method;
    this.hasFrames = hasFrames;
    Map<AbstractInsnNode, Set<AbstractInsnNode>> next = next();
    Set<AbstractInsnNode> known = identities();
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      AbstractInsnNode first = CountingLocals.nextReal(block.handler);
      if (known.add(first) && reaches(first, first, next)) {
        handlers.add(new Handler(block.handler, covered(first)));
      }
    }
    if (!handlers.isEmpty()) {
      for (AbstractInsnNode each : method.instructions) {
        if (each instanceof FrameNode) {
          ownFrames.add(each);
        }
      }
    }
  }

  private static Set<AbstractInsnNode> identities() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  /** The handlers that may see what is thrown at the beginning of each, by first instructions. */
  private Map<AbstractInsnNode, Set<AbstractInsnNode>> next() {
    Map<AbstractInsnNode, Set<AbstractInsnNode>> next = new IdentityHashMap<>();
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      AbstractInsnNode first = CountingLocals.nextReal(block.handler);
      if (!next.containsKey(first)) {
        next.put(first, covering(first));
      }
    }
    return next;
  }

  private Set<AbstractInsnNode> covering(AbstractInsnNode instruction) {
    Set<AbstractInsnNode> found = identities();
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      if (covers(block, instruction)) {
        found.add(CountingLocals.nextReal(block.handler));
      }
    }
    return found;
  }

  private boolean covers(TryCatchBlockNode block, AbstractInsnNode instruction) {
    int at = method.instructions.indexOf(instruction);
    return method.instructions.indexOf(block.start) <= at
        && at < method.instructions.indexOf(block.end);
  }

  private static boolean reaches(
      AbstractInsnNode from,
      AbstractInsnNode to,
      Map<AbstractInsnNode, Set<AbstractInsnNode>> next) {
    Set<AbstractInsnNode> seen = identities();
    List<AbstractInsnNode> open = new ArrayList<>(next.get(from));
    while (!open.isEmpty()) {
      AbstractInsnNode each = open.remove(open.size() - 1);
      if (each == to) {
        return true;
      }
      if (seen.add(each)) {
        open.addAll(next.get(each));
      }
    }
    return false;
  }

  /**
   * The instructions that only move references and leave monitors, while they are covered, and the
   * one behind them: what compilers of Java have there.
   */
  private List<AbstractInsnNode> covered(AbstractInsnNode first) {
    List<AbstractInsnNode> found = new ArrayList<>(List.of(first));
    AbstractInsnNode each = first;
    boolean hasOperand = true; // the exception
    while (isMove(each.getOpcode(), hasOperand) && !covering(each).isEmpty()) {
      hasOperand = !hasOperand;
      each = CountingLocals.nextReal(each.getNext());
      if (each == null) {
        break;
      }
      found.add(each);
    }
    return found;
  }

  /** Whether an instruction takes the only operand, or puts the first one on the stack. */
  private static boolean isMove(int opcode, boolean hasOperand) {
    return hasOperand ? opcode == ASTORE || opcode == MONITOREXIT : opcode == ALOAD;
  }

  /**
   * Surrounds what was inserted; takes a local variable behind all others.
   *
   * @param hasSnippets whether what comes before an instruction may leave values for what comes
   *     behind it, in variables that no frame has: then it is guarded only where none does
   */
  void insert(boolean hasSnippets) {
    local = method.maxLocals;
    for (Handler handler : handlers) {
      State state = hasFrames ? new State(frameAt(handler.label)) : null;
      AbstractInsnNode before = handler.label;
      boolean hasOperand = true; // the exception
      for (AbstractInsnNode instruction : handler.instructions) {
        if (hasSnippets && (before != handler.label || instruction.getOpcode() != ASTORE)) {
          break;
        }
        guard(before, instruction, hasOperand, state);
        if (state != null) {
          state.pass(instruction);
        }
        hasOperand = !hasOperand;
        before = instruction;
      }
    }
  }

  /** Surrounds what is between two instructions, where at most one operand is on the stack. */
  private void guard(
      AbstractInsnNode before, AbstractInsnNode end, boolean hasOperand, State state) {
    AbstractInsnNode inserted = CountingLocals.nextReal(before.getNext());
    if (inserted == end || !(before instanceof LabelNode) && isJoin(before, end)) {
      return;
    }
    method.maxLocals = local + 1;
    LabelNode from = new LabelNode();
    LabelNode to = new LabelNode();
    LabelNode guard = new LabelNode();
    if (hasOperand) {
      method.instructions.insertBefore(inserted, new InsnNode(DUP));
      method.instructions.insertBefore(inserted, new VarInsnNode(ASTORE, local));
    }
    method.instructions.insertBefore(inserted, from);
    method.instructions.insertBefore(end, new InsnNode(NOP)); // frames of what was inserted end
    method.instructions.insertBefore(end, to);
    method.instructions.add(guard);
    if (state != null) {
      Object operand = hasOperand ? state.operand : null;
      for (AbstractInsnNode each = from; each != to; each = each.getNext()) {
        if (each instanceof FrameNode within && hasOperand) {
          within.local = new State(within).with(local, operand);
        }
      }
      method.instructions.insert(to, frame(state.locals(), operand));
      List<Object> locals = hasOperand ? state.with(local, operand) : state.locals();
      method.instructions.add(frame(locals, "java/lang/Throwable"));
    }
    method.instructions.add(new InsnNode(POP));
    if (hasOperand) {
      method.instructions.add(new VarInsnNode(ALOAD, local));
    }
    method.instructions.add(new JumpInsnNode(GOTO, to));
    int place = 0;
    while (place < method.tryCatchBlocks.size()
        && !covers(method.tryCatchBlocks.get(place), inserted)) {
      place++; // those of code within what was inserted come first
    }
    method.tryCatchBlocks.add(place, new TryCatchBlockNode(from, to, guard, null));
  }

  /** Whether the method comes here from elsewhere, too. */
  private boolean isJoin(AbstractInsnNode before, AbstractInsnNode end) {
    for (AbstractInsnNode each = before; each != end; each = each.getNext()) {
      if (ownFrames.contains(each)) {
        return true;
      }
    }
    return false;
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

  private static FrameNode frame(List<Object> locals, Object operand) {
    Object[] stack = operand == null ? new Object[0] : new Object[] {operand};
    return new FrameNode(F_NEW, locals.size(), locals.toArray(), stack.length, stack);
  }

  /** The types of local variables, and of the operand on the stack, if there is one. */
  private static final class State {
    private final List<Object> slots = new ArrayList<>(); // null: the second of a long or double
    private Object operand;

    State(FrameNode frame) {
      for (Object type : frame.local) {
        slots.add(type);
        if (type == LONG || type == DOUBLE) {
          slots.add(null);
        }
      }
      operand = frame.stack.isEmpty() ? null : frame.stack.get(0);
    }

    void pass(AbstractInsnNode instruction) {
      if (instruction.getOpcode() == ASTORE) {
        set(slots, ((VarInsnNode) instruction).var, operand);
      }
      operand =
          instruction.getOpcode() == ALOAD ? slots.get(((VarInsnNode) instruction).var) : null;
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

    List<Object> with(int index, Object type) {
      List<Object> more = new ArrayList<>(slots);
      set(more, index, type);
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
