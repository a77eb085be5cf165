package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.DSTORE;
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

import java.util.ArrayDeque;
import java.util.BitSet;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Which local variables of a method refer to objects: on all ways to an instruction, and on some.
 * The VM's interpreter forgets a variable where ways join of which only some have set it.
 */
final class SetVariables {
  private final Ways ways;
  private final BitSet[] all; // before each instruction, never changed in place; null: not reached
  private final BitSet[] some; // likewise
  private boolean isSettled; // all is: what it had before is not in some
  private final ArrayDeque<Integer> open = new ArrayDeque<>();

  /**
   * Follows all ways.
   *
   * @param parameters that refer to objects
   */
  SetVariables(Ways ways, BitSet parameters) {
    this.ways = ways;
    all = new BitSet[ways.size()];
    some = new BitSet[ways.size()];
    reach(0, parameters);
    while (!open.isEmpty()) {
      follow(open.pop());
    }
    isSettled = true;
    reach(0, parameters);
    for (int k = 0; k < all.length; k++) {
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
    AbstractInsnNode i = ways.node(index);
    BitSet sure = all[index]; // the rest is forgotten here
    int opcode = i.getOpcode();
    if (mayThrow(opcode)) {
      for (int handler : ways.handlers(index)) {
        reach(handler, sure);
      }
    }
    if (i instanceof VarInsnNode store && opcode >= ISTORE && opcode <= ASTORE) {
      sure = with(sure, opcode, store.var);
    }
    for (int next : ways.next(index)) {
      reach(next, sure);
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
