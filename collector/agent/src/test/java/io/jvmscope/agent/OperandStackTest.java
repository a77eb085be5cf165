package io.jvmscope.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Shapes of the operand stack, worked out by hand. Variable 0 is a parameter that is followed. */
final class OperandStackTest {
  private final MethodNode method =
      new MethodNode(Opcodes.ACC_STATIC, "any", "(Ljava/lang/Object;)V", null, null);

  OperandStackTest() {
    method.maxLocals = 1;
  }

  private AbstractInsnNode[] real() {
    List<AbstractInsnNode> real = new ArrayList<>();
    for (AbstractInsnNode i : method.instructions) {
      if (i.getOpcode() >= 0) {
        real.add(i);
      }
    }
    return real.toArray(new AbstractInsnNode[0]);
  }

  /** Time passes in calls. */
  private OperandStack follow() {
    method.instructions.add(new InsnNode(Opcodes.RETURN));
    AbstractInsnNode[] real = real();
    BitSet parameters = new BitSet();
    parameters.set(0);
    Ways ways = new Ways(method);
    return new OperandStack(
        ways,
        real,
        method.name.equals("<init>"),
        new boolean[] {true},
        new SetVariables(ways, parameters),
        (k, hasOperands) -> real[k] instanceof MethodInsnNode && !hasOperands);
  }

  private OperandStackTest add(int opcode) {
    method.instructions.add(
        switch (opcode) {
          case Opcodes.ALOAD, Opcodes.ASTORE -> new VarInsnNode(opcode, 0);
          case Opcodes.NEW -> new TypeInsnNode(opcode, "C");
          case Opcodes.GETSTATIC -> new FieldInsnNode(opcode, "C", "f", "Ljava/lang/Object;");
          case Opcodes.INVOKESTATIC -> new MethodInsnNode(opcode, "C", "m", "()V", false);
          case Opcodes.INVOKESPECIAL -> new MethodInsnNode(opcode, "C", "<init>", "()V", false);
          default -> new InsnNode(opcode);
        });
    return this;
  }

  /** Values before the last instruction that was added. */
  private String held() {
    int last = real().length - 1;
    OperandStack stack = follow();
    StringBuilder held = new StringBuilder();
    for (int value : stack.before(last)) {
      held.append(stack.isHeld(value) ? "+" : "-");
    }
    return held.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "A, 89, AA", // dup
    "AB, 90, BAB", // dup_x1
    "ABC, 91, CABC", // dup_x2
    "JB, 91, BJB",
    "AB, 92, ABAB", // dup2
    "J, 92, JJ",
    "ABC, 93, BCABC", // dup2_x1
    "AJ, 93, JAJ",
    "ABCD, 94, CDABCD", // dup2_x2
    "JCD, 94, CDJCD",
    "ABJ, 94, JABJ",
    "JK, 94, KJK",
    "AB, 95, BA", // swap
    "AB, 87, A", // pop
    "ABC, 88, A", // pop2
    "AJ, 88, A",
  })
  void copiesAreTheSameValues(String before, int opcode, String after) {
    for (char value : before.toCharArray()) {
      String type = value >= 'J' ? "J" : "Ljava/lang/Object;";
      method.instructions.add(new FieldInsnNode(Opcodes.GETSTATIC, "C", "f", type));
    }
    add(opcode);
    int[] values = follow().after(before.length());
    StringBuilder found = new StringBuilder();
    for (int value : values) {
      found.append(before.charAt(value)); // a value is the number of what made it
    }
    assertEquals(after, found.toString());
  }

  @Test
  void whatWaitsForACallIsHeld() {
    assertEquals("+", add(Opcodes.GETSTATIC).add(Opcodes.INVOKESTATIC).add(Opcodes.POP).held());
  }

  @Test
  void whatIsUsedBeforeIsNot() {
    add(Opcodes.GETSTATIC).add(Opcodes.POP).add(Opcodes.INVOKESTATIC);
    assertEquals("-", add(Opcodes.GETSTATIC).add(Opcodes.POP).held());
  }

  @Test
  void whatAVariableRefersToIsNot() {
    assertEquals("-", add(Opcodes.ALOAD).add(Opcodes.INVOKESTATIC).add(Opcodes.POP).held());
  }

  @Test
  void whatTheVariableReferredToIs() {
    add(Opcodes.ALOAD).add(Opcodes.ACONST_NULL).add(Opcodes.ASTORE).add(Opcodes.INVOKESTATIC);
    assertEquals("+", add(Opcodes.POP).held());
  }

  @Test
  void nothingIsNot() {
    assertEquals("-", add(Opcodes.ACONST_NULL).add(Opcodes.INVOKESTATIC).add(Opcodes.POP).held());
  }

  @Test
  void anObjectUnderConstructionIsNotYet() {
    add(Opcodes.NEW).add(Opcodes.DUP).add(Opcodes.INVOKESTATIC).add(Opcodes.INVOKESPECIAL);
    assertEquals("-", add(Opcodes.POP).held());
  }

  @Test
  void aConstructedObjectIs() {
    add(Opcodes.NEW).add(Opcodes.DUP).add(Opcodes.INVOKESPECIAL).add(Opcodes.INVOKESTATIC);
    assertEquals("+", add(Opcodes.POP).held());
  }

  @Test
  void allWaysToAHeldValueHoldIt() {
    LabelNode other = new LabelNode();
    LabelNode end = new LabelNode();
    add(Opcodes.GETSTATIC).add(Opcodes.ICONST_0);
    method.instructions.add(new JumpInsnNode(Opcodes.IFEQ, other));
    add(Opcodes.ALOAD);
    int loaded = real().length - 1;
    method.instructions.add(new JumpInsnNode(Opcodes.GOTO, end));
    method.instructions.add(other);
    add(Opcodes.GETSTATIC);
    method.instructions.add(end);
    add(Opcodes.INVOKESTATIC).add(Opcodes.POP2);
    OperandStack stack = follow();
    assertEquals(true, stack.isHeld(stack.after(loaded)[1]));
    assertEquals(2, stack.positions().cardinality());
  }
}
