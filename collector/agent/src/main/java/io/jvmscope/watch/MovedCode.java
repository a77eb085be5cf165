package io.jvmscope.watch;

import io.jvmscope.classfile.BasicBlocks;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Where the instructions of a method are once probes are in it. The VM tells offsets in the code
 * that it runs; whoever asks wants those of the class file.
 */
final class MovedCode {
  private final MethodNode method;
  private final List<AbstractInsnNode> instructions = new ArrayList<>();
  private final List<LabelNode> marks = new ArrayList<>();

  /** Notes the instructions of a method in which no probe is yet. */
  MovedCode(MethodNode method) {
    this.method = method;
    for (AbstractInsnNode each : method.instructions) {
      if (each.getOpcode() >= 0) {
        instructions.add(each);
      }
    }
  }

  /** Marks them in the method with its probes, which is written afterwards. */
  void mark() {
    for (AbstractInsnNode each : instructions) {
      LabelNode mark = new LabelNode();
      method.instructions.insertBefore(each, mark);
      marks.add(mark);
    }
  }

  /**
   * Where code has moved to, as pairs {@code NEW:OLD} of offsets, from each of which on
   * instructions follow as they did; the last one is the end of the method's own code. Empty: it is
   * not known.
   *
   * @param before the method as it was
   */
  String spans(BasicBlocks before) {
    if (before.instructionCount() != instructions.size()) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    int nextNew = -1;
    int nextOld = -1;
    for (int k = 0; k < marks.size(); k++) {
      int at = marks.get(k).getLabel().getOffset();
      int old = before.offset(k);
      if (at - old != nextNew - nextOld || nextNew < 0) {
        text.append(at).append(':').append(old).append(' ');
      }
      nextNew = at;
      nextOld = old;
    }
    int last = before.offset(marks.size() - 1);
    int end = before.offset(marks.size());
    return text.append(nextNew + end - last).append(':').append(end).toString();
  }

  /** The calls of the method, as {@code OLD:NAME}; the name is what is called. */
  String calls(BasicBlocks before) {
    StringBuilder text = new StringBuilder();
    for (int k = 0; k < instructions.size() && before.instructionCount() == marks.size(); k++) {
      String name = called(instructions.get(k));
      if (name != null) {
        text.append(text.length() == 0 ? "" : " ")
            .append(before.offset(k))
            .append(':')
            .append(name);
      }
    }
    return text.toString();
  }

  private static String called(AbstractInsnNode instruction) {
    if (instruction instanceof MethodInsnNode call) {
      return call.name;
    }
    return instruction instanceof InvokeDynamicInsnNode ? "" : null;
  }
}
