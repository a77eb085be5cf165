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
  private final BitSet[] all; // before each instruction; null: not reached
  private final BitSet[] some;
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
    reach(0, parameters, parameters);
    while (!open.isEmpty()) {
      follow(open.pop());
    }
  }

  /** The variables that only some of the ways to a place have set. */
  BitSet unsure(int index) {
    BitSet unsure = new BitSet();
    if (all[index] != null) {
      unsure.or(some[index]);
      unsure.andNot(all[index]);
    }
    return unsure;
  }

  private void follow(int index) {
    AbstractInsnNode i = instructions.get(index);
    BitSet sure = (BitSet) all[index].clone();
    BitSet may = (BitSet) some[index].clone();
    may.and(sure); // the rest is forgotten here
    int opcode = i.getOpcode();
    if (handlers.get(index) != null && mayThrow(opcode)) {
      for (TryCatchBlockNode block : handlers.get(index)) {
        reach(block.handler, sure, may);
      }
    }
    if (i instanceof VarInsnNode store && opcode >= ISTORE && opcode <= ASTORE) {
      set(sure, opcode, store.var);
      set(may, opcode, store.var);
    }
    if (i instanceof JumpInsnNode jump) {
      reach(jump.label, sure, may);
    } else if (i instanceof TableSwitchInsnNode table) {
      reach(table.dflt, sure, may);
      reachAll(table.labels, sure, may);
    } else if (i instanceof LookupSwitchInsnNode lookup) {
      reach(lookup.dflt, sure, may);
      reachAll(lookup.labels, sure, may);
    }
    boolean ends = opcode == GOTO || opcode == ATHROW || opcode >= IRETURN && opcode <= RETURN;
    boolean chooses = i instanceof TableSwitchInsnNode || i instanceof LookupSwitchInsnNode;
    if (!ends && !chooses && index + 1 < instructions.size()) {
      reach(index + 1, sure, may);
    }
  }

  private void reachAll(List<LabelNode> labels, BitSet sure, BitSet may) {
    for (LabelNode label : labels) {
      reach(label, sure, may);
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

  private static void set(BitSet variables, int opcode, int variable) {
    variables.set(variable, opcode == ASTORE);
    if (opcode == LSTORE || opcode == DSTORE) {
      variables.clear(variable + 1);
    }
  }

  private void reach(LabelNode label, BitSet sure, BitSet may) {
    reach(instructions.indexOf(label), sure, may);
  }

  private void reach(int index, BitSet sure, BitSet may) {
    if (all[index] == null) {
      all[index] = (BitSet) sure.clone();
      some[index] = (BitSet) may.clone();
      open.push(index);
      return;
    }
    int surely = all[index].cardinality();
    int maybe = some[index].cardinality();
    all[index].and(sure);
    some[index].or(may);
    if (all[index].cardinality() != surely || some[index].cardinality() != maybe) {
      open.push(index);
    }
  }
}
