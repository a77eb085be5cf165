package io.jvmscope.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;

final class DeterminismEditsTest {
  @Test
  void noSeededClassOfThisJdkUsesTheClock() throws IOException {
    for (String name : DeterminismEdits.SEEDED) {
      ClassNode tree = read(name);
      long reads = usedReadings(tree);
      DeterminismEdits.stopClock(tree, 0);
      assertTrue(reads > 0, name);
      assertEquals(0, usedReadings(tree), name);
    }
  }

  /** Calls that read the clock and do not drop what it says. */
  private static long usedReadings(ClassNode tree) {
    return tree.methods.stream()
        .flatMap(method -> Arrays.stream(method.instructions.toArray()))
        .filter(DeterminismEditsTest::readsTheClock)
        .filter(call -> call.getNext().getOpcode() != Opcodes.POP2)
        .count();
  }

  private static boolean readsTheClock(AbstractInsnNode instruction) {
    return instruction instanceof MethodInsnNode call
        && call.owner.equals("java/lang/System")
        && (call.name.equals("nanoTime") || call.name.equals("currentTimeMillis"));
  }

  private static ClassNode read(String name) throws IOException {
    try (InputStream file = ClassLoader.getSystemResourceAsStream(name + ".class")) {
      ClassNode tree = new ClassNode();
      new ClassReader(file).accept(tree, 0);
      return tree;
    }
  }
}
