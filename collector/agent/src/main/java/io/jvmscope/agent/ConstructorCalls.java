package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.NEW;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Which {@code new} each call of a constructor completes, in the order of the code, as compilers
 * write it; and how many objects wait for theirs meanwhile. If some {@code new} has no call, none
 * of the method is paired.
 */
final class ConstructorCalls {
  /** In the place of a depth: not a {@code new}, or a call that completes none. */
  static final int NONE = -1;

  private final int[] depths;

  /** How many objects wait at most. */
  final int mostWaiting;

  /**
   * Pairs them.
   *
   * @param isGenerated whether the VM does not verify the method
   */
  ConstructorCalls(AbstractInsnNode[] instructions, boolean isGenerated) {
    depths = new int[instructions.length];
    java.util.Arrays.fill(depths, NONE);
    List<String> open = new ArrayList<>();
    int most = 0;
    boolean isPaired = true;
    for (int k = 0; k < instructions.length; k++) {
      AbstractInsnNode i = instructions[k];
      if (i.getOpcode() == NEW) {
        depths[k] = open.size();
        open.add(((TypeInsnNode) i).desc);
        most = Math.max(most, open.size());
      } else if (isConstructor(i)) {
        int last = open.lastIndexOf(((MethodInsnNode) i).owner);
        if (last < 0 && isGenerated) {
          last = open.size() - 1; // the constructor of a superclass, which only serialisation calls
        }
        if (last >= 0) {
          isPaired &= last == open.size() - 1;
          depths[k] = last;
          open.remove(last);
        }
      }
    }
    if (!isPaired || !open.isEmpty()) {
      java.util.Arrays.fill(depths, NONE);
      most = 0;
    }
    mostWaiting = most;
  }

  /** The place of the object of a {@code new} or a call among those that wait. */
  int depth(int instruction) {
    return depths[instruction];
  }

  static boolean isConstructor(AbstractInsnNode i) {
    return i.getOpcode() == INVOKESPECIAL && ((MethodInsnNode) i).name.equals("<init>");
  }
}
