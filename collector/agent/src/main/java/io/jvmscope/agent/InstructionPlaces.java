package io.jvmscope.agent;

import java.util.Arrays;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;

/**
 * Numbers of a method's instructions by where they are in its list, among labels, lines and frames.
 * No map has nodes as keys here: their hash codes are those of identities, which a recording takes
 * from a sequence that the program's objects get theirs from.
 */
final class InstructionPlaces {
  private InstructionPlaces() {}

  /** By index in the list as it is now: the number of the instruction there; -1: none is there. */
  static int[] of(InsnList list, AbstractInsnNode[] instructions) {
    int[] places = new int[list.size()];
    Arrays.fill(places, -1);
    for (int k = 0; k < instructions.length; k++) {
      places[list.indexOf(instructions[k])] = k;
    }
    return places;
  }
}
