package io.jvmscope.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;

/** Ways through methods of the JDK are those that ASM's analyser goes. */
class WaysTest {
  /** Has the ways that the analyser goes, from the nodes that it reaches. */
  private static final class Edges extends Analyzer<BasicValue> {
    private final BitSet[] next;
    private final BitSet[] handlers;
    private final MethodNode method;

    Edges(ClassNode file, MethodNode method) throws AnalyzerException {
      super(new BasicInterpreter());
      this.method = method;
      this.next = sets(method.instructions.size());
      this.handlers = sets(method.instructions.size());
      analyze(file.name, method);
    }

    private static BitSet[] sets(int count) {
      BitSet[] sets = new BitSet[count];
      for (int k = 0; k < count; k++) {
        sets[k] = new BitSet();
      }
      return sets;
    }

    @Override
    protected void newControlFlowEdge(int from, int to) {
      next[from].set(to);
    }

    @Override
    protected boolean newControlFlowExceptionEdge(int from, TryCatchBlockNode block) {
      handlers[from].set(method.instructions.indexOf(block.handler));
      return true;
    }
  }

  private static BitSet set(int[] numbers) {
    BitSet set = new BitSet();
    for (int number : numbers) {
      set.set(number);
    }
    return set;
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        String.class,
        Class.class,
        ClassLoader.class,
        java.io.ObjectInputStream.class,
        java.math.BigInteger.class,
        java.util.Formatter.class,
        java.util.HashMap.class,
        java.util.concurrent.ForkJoinPool.class,
        java.util.regex.Pattern.class
      })
  void waysAreThoseOfTheAnalyser(Class<?> type) throws IOException, AnalyzerException {
    ClassNode file = new ClassNode();
    new ClassReader(type.getName()).accept(file, 0);
    int branches = 0;
    for (MethodNode method : file.methods) {
      Edges expected = new Edges(file, method);
      Ways ways = new Ways(method);
      for (int k = 0; k < ways.size(); k++) {
        if (expected.getFrames()[k] != null) {
          String place = type + "." + method.name + method.desc + " at " + k;
          assertEquals(expected.next[k], set(ways.next(k)), place);
          assertEquals(expected.handlers[k], set(ways.handlers(k)), place);
          branches += ways.next(k).length > 1 ? 1 : 0;
        }
      }
    }
    assertTrue(branches > 20, type + " has " + branches);
  }

  @Test
  void theEndOfASubroutineIsTheLast() {
    MethodNode method = new MethodNode(Opcodes.ACC_STATIC, "m", "()V", null, null);
    method.instructions.add(new VarInsnNode(Opcodes.RET, 0));
    method.instructions.add(new InsnNode(Opcodes.RETURN));

    assertEquals(0, new Ways(method).next(0).length);
  }
}
