package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.GOTO;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.RET;
import static org.objectweb.asm.Opcodes.RETURN;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * Which nodes of a method may come behind each: the next one, targets of branches, and the handlers
 * of exceptions. Nodes are instructions, and labels, frames and lines between them; they are meant
 * by their numbers, as long as none is inserted.
 *
 * <p>No lambdas: this runs in the VM that is recorded, which would link them here instead of in the
 * program.
 */
final class Ways {
  private static final int[] NOWHERE = {};

  private final InsnList nodes;
  private final int[][] handlers; // of each node; null: none

  Ways(MethodNode method) {
    this.nodes = method.instructions;
    this.handlers = new int[nodes.size()][];
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      int handler = nodes.indexOf(block.handler);
      int end = nodes.indexOf(block.end);
      for (int k = nodes.indexOf(block.start); k < end; k++) {
        handlers[k] = with(handlers[k], handler);
      }
    }
  }

  /** How many nodes the method has. */
  int size() {
    return handlers.length;
  }

  AbstractInsnNode node(int index) {
    return nodes.get(index);
  }

  int indexOf(AbstractInsnNode node) {
    return nodes.indexOf(node);
  }

  /** The handlers that cover a node, whether or not it can throw, in the order of the method. */
  int[] handlers(int index) {
    return handlers[index] == null ? NOWHERE : handlers[index];
  }

  /** What may come behind a node if it throws nothing: targets, then the next one. */
  int[] next(int index) {
    AbstractInsnNode i = nodes.get(index);
    boolean goesOn = !isLast(i) && index + 1 < handlers.length;
    if (!isBranch(i)) {
      return goesOn ? new int[] {index + 1} : NOWHERE;
    }
    List<LabelNode> targets = targets(i);
    int[] next = new int[targets.size() + (goesOn ? 1 : 0)];
    for (int k = 0; k < targets.size(); k++) {
      next[k] = nodes.indexOf(targets.get(k));
    }
    if (goesOn) {
      next[targets.size()] = index + 1;
    }
    return next;
  }

  /** Is it a jump or a switch? */
  static boolean isBranch(AbstractInsnNode i) {
    return i instanceof JumpInsnNode || isSwitch(i);
  }

  /** Does what stands behind an instruction never run next, unless a branch leads there? */
  static boolean isLast(AbstractInsnNode i) {
    int opcode = i.getOpcode();
    return opcode == GOTO
        || opcode == ATHROW
        || opcode == RET
        || opcode >= IRETURN && opcode <= RETURN
        || isSwitch(i);
  }

  /** Where a branch leads; of a switch, the default comes first. */
  static List<LabelNode> targets(AbstractInsnNode i) {
    List<LabelNode> targets = new ArrayList<>();
    if (i instanceof JumpInsnNode jump) {
      targets.add(jump.label);
    } else if (i instanceof TableSwitchInsnNode table) {
      targets.add(table.dflt);
      targets.addAll(table.labels);
    } else if (i instanceof LookupSwitchInsnNode lookup) {
      targets.add(lookup.dflt);
      targets.addAll(lookup.labels);
    }
    return targets;
  }

  private static boolean isSwitch(AbstractInsnNode i) {
    return i instanceof TableSwitchInsnNode || i instanceof LookupSwitchInsnNode;
  }

  private static int[] with(int[] some, int one) {
    if (some == null) {
      return new int[] {one};
    }
    int[] all = new int[some.length + 1];
    System.arraycopy(some, 0, all, 0, some.length);
    all[some.length] = one;
    return all;
  }
}
