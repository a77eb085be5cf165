package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.DSTORE;
import static org.objectweb.asm.Opcodes.GOTO;
import static org.objectweb.asm.Opcodes.IDIV;
import static org.objectweb.asm.Opcodes.IFNONNULL;
import static org.objectweb.asm.Opcodes.IFNULL;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.IREM;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.ISTORE;
import static org.objectweb.asm.Opcodes.LDC;
import static org.objectweb.asm.Opcodes.LDIV;
import static org.objectweb.asm.Opcodes.LREM;
import static org.objectweb.asm.Opcodes.LSTORE;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.RETURN;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Which local variables of a method refer to objects: on all ways to an instruction, and on some.
 * The VM's interpreter forgets a variable where ways join of which only some have set it.
 */
final class SetVariables {
  private final InsnList instructions;
  private final BitSet[] all; // before each instruction, never changed in place; null: not reached
  private final BitSet[] some; // likewise
  private boolean isSettled; // all is: what it had before is not in some
  private final ArrayDeque<Integer> open = new ArrayDeque<>();
  private final List<List<TryCatchBlockNode>> handlers;

  /**
   * Follows all ways.
   *
   * @param parameters that refer to objects
   */
  SetVariables(MethodNode method, BitSet parameters) {
    this.instructions = method.instructions;
    int count = instructions.size();
    all = new BitSet[count];
    some = new BitSet[count];
    handlers = new ArrayList<>(count);
    for (int k = 0; k < count; k++) {
      handlers.add(null);
    }
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      int end = instructions.indexOf(block.end);
      for (int k = instructions.indexOf(block.start); k < end; k++) {
        if (handlers.get(k) == null) {
          handlers.set(k, new ArrayList<>(1));
        }
        handlers.get(k).add(block);
      }
    }
    reach(0, parameters);
    while (!open.isEmpty()) {
      follow(open.pop());
    }
    isSettled = true;
    reach(0, parameters);
    for (int k = 0; k < count; k++) {
      if (all[k] != null) {
        follow(k);
      }
    }
  }

  /** The variables that only some of the ways to a place have set. */
  BitSet unsure(int index) {
    BitSet unsure = new BitSet();
    if (all[index] != some[index]) {
      unsure.or(some[index]);
      unsure.andNot(all[index]);
    }
    return unsure;
  }

  private void follow(int index) {
    AbstractInsnNode i = instructions.get(index);
    BitSet sure = all[index]; // the rest is forgotten here
    int opcode = i.getOpcode();
    if (handlers.get(index) != null && mayThrow(opcode)) {
      for (TryCatchBlockNode block : handlers.get(index)) {
        reach(block.handler, sure);
      }
    }
    if (i instanceof VarInsnNode store && opcode >= ISTORE && opcode <= ASTORE) {
      sure = with(sure, opcode, store.var);
    }
    if (i instanceof JumpInsnNode jump) {
      reach(jump.label, sure);
    } else if (i instanceof TableSwitchInsnNode table) {
      reach(table.dflt, sure);
      reachAll(table.labels, sure);
    } else if (i instanceof LookupSwitchInsnNode lookup) {
      reach(lookup.dflt, sure);
      reachAll(lookup.labels, sure);
    }
    boolean ends = opcode == GOTO || opcode == ATHROW || opcode >= IRETURN && opcode <= RETURN;
    boolean chooses = i instanceof TableSwitchInsnNode || i instanceof LookupSwitchInsnNode;
    if (!ends && !chooses && index + 1 < instructions.size()) {
      reach(index + 1, sure);
    }
  }

  private void reachAll(List<LabelNode> labels, BitSet sure) {
    for (LabelNode label : labels) {
      reach(label, sure);
    }
  }

  private static boolean mayThrow(int opcode) {
    boolean divides = opcode == IDIV || opcode == LDIV || opcode == IREM || opcode == LREM;
    boolean isPlain =
        opcode < LDC
            || opcode >= ILOAD && opcode <= ALOAD
            || opcode >= ISTORE && opcode <= ASTORE
            || opcode >= POP && opcode < IRETURN
            || opcode == IFNULL
            || opcode == IFNONNULL;
    return divides || !isPlain;
  }

  /** What is set behind a store; the same set if that is nothing else. */
  private static BitSet with(BitSet variables, int opcode, int variable) {
    boolean isWide = opcode == LSTORE || opcode == DSTORE;
    if (variables.get(variable) == (opcode == ASTORE) && !(isWide && variables.get(variable + 1))) {
      return variables;
    }
    BitSet changed = (BitSet) variables.clone();
    changed.set(variable, opcode == ASTORE);
    if (isWide) {
      changed.clear(variable + 1);
    }
    return changed;
  }

  private void reach(LabelNode label, BitSet sure) {
    reach(instructions.indexOf(label), sure);
  }

  private void reach(int index, BitSet sure) {
    if (isSettled) {
      some[index] = some[index] == null ? sure : union(some[index], sure);
      return;
    }
    BitSet both = all[index] == null ? sure : intersection(all[index], sure);
    if (both != all[index]) {
      all[index] = both;
      open.push(index);
    }
  }

  /** The same set if the other has no more. */
  private static BitSet union(BitSet set, BitSet other) {
    if (set == other) {
      return set;
    }
    BitSet both = (BitSet) set.clone();
    both.or(other);
    return both.equals(set) ? set : both;
  }

  /** The same set if the other has it. */
  private static BitSet intersection(BitSet set, BitSet other) {
    if (set == other) {
      return set;
    }
    BitSet both = (BitSet) set.clone();
    both.and(other);
    return both.equals(set) ? set : both;
  }
}
