package io.jvmscope.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Variables that some ways set, worked out by hand. Variable 0 is an {@code int} parameter. */
final class SetVariablesTest {
  private final MethodNode method = new MethodNode(Opcodes.ACC_STATIC, "any", "(I)V", null, null);
  private final LabelNode first = new LabelNode();
  private final LabelNode second = new LabelNode();
  private final LabelNode apart = new LabelNode();

  private SetVariablesTest chooses(LabelNode label) {
    method.instructions.add(new VarInsnNode(Opcodes.ILOAD, 0));
    method.instructions.add(new JumpInsnNode(Opcodes.IFEQ, label));
    return this;
  }

  private SetVariablesTest sets(int variable) {
    method.instructions.add(new InsnNode(Opcodes.ACONST_NULL));
    method.instructions.add(new VarInsnNode(Opcodes.ASTORE, variable));
    return this;
  }

  private SetVariablesTest at(LabelNode label) {
    method.instructions.add(label);
    return this;
  }

  private SetVariablesTest ends(int opcode, LabelNode label) {
    method.instructions.add(label == null ? new InsnNode(opcode) : new JumpInsnNode(opcode, label));
    return this;
  }

  private BitSet unsure(LabelNode label) {
    return new SetVariables(new Ways(method), new BitSet())
        .unsure(method.instructions.indexOf(label));
  }

  private static BitSet variables(int... numbers) {
    BitSet variables = new BitSet();
    for (int number : numbers) {
      variables.set(number);
    }
    return variables;
  }

  @Test
  void aVariableIsForgottenWhereWaysJoinAndNowhereElse() {
    // the way through `apart`, which does not set the variable, is the last that is followed
    chooses(apart).sets(1).at(first).chooses(second).ends(Opcodes.NOP, null).at(second);
    ends(Opcodes.RETURN, null).at(apart).ends(Opcodes.GOTO, first);

    assertEquals(variables(1), unsure(first));
    assertEquals(variables(), unsure(second));
  }

  @Test
  void aVariableThatAllWaysSetStays() {
    chooses(apart).sets(1).at(first).chooses(second).sets(2).at(second);
    ends(Opcodes.RETURN, null).at(apart).sets(1).ends(Opcodes.GOTO, first);

    assertEquals(variables(), unsure(first));
    assertEquals(variables(2), unsure(second));
  }

  @Test
  void aPlaceThatNoWayReachesHasNone() {
    ends(Opcodes.RETURN, null).at(first).sets(1).ends(Opcodes.RETURN, null);

    assertEquals(variables(), unsure(first));
  }
}
