package io.jvmscope.dump;

import java.util.Arrays;

/** The conditional branches and switches whose order is kept, by method. */
final class Branches {
  private int[] starts = new int[1024]; // by canonical method, and behind the last one
  private int methods;
  private int[] instructions = new int[1024];
  private int count;

  /** Adds a branch to the method that is ended next, by the key of its instruction. */
  void add(int instructionId) {
    if (count == instructions.length) {
      instructions = Arrays.copyOf(instructions, 2 * count);
    }
    instructions[count++] = instructionId;
  }

  /** Ends a method; methods come in canonical order, each once. */
  void endMethod() {
    if (++methods == starts.length) {
      starts = Arrays.copyOf(starts, 2 * methods);
    }
    starts[methods] = count;
  }

  /** The first branch of a method; that of the next method ends them. */
  int start(int methodId) {
    return starts[methodId];
  }

  /** Key of a branch's instruction. */
  int instruction(int branch) {
    return instructions[branch];
  }
}
