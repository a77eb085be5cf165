package io.jvmscope;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * Handlers of our code where the heap or the stack is full.
 *
 * <p>The VM goes through the handlers of a place in their order and loads the class of each until
 * one fits. Where it has no room for such a class, it goes on behind the handler that it did not
 * get, so those after it do not see the error. Classes that the VM itself has from its start on
 * need no room.
 */
final class HandlersTest {
  private static final Path COMPILED = Path.of("target/classes/io/jvmscope");

  /** Classes of HotSpot's {@code vmClasses}, on Java 17 as on 25. */
  private static final Set<String> THERE =
      Set.of(
          "java/lang/Throwable",
          "java/lang/Error",
          "java/lang/Exception",
          "java/lang/RuntimeException",
          "java/lang/LinkageError",
          "java/lang/VirtualMachineError",
          "java/lang/InternalError",
          "java/lang/OutOfMemoryError",
          "java/lang/StackOverflowError",
          "java/lang/ReflectiveOperationException",
          "java/lang/ClassNotFoundException",
          "java/lang/NoClassDefFoundError",
          "java/lang/IllegalMonitorStateException");

  private static final Set<String> ERRORS_OF_NO_ROOM =
      Set.of(
          "java/lang/Throwable",
          "java/lang/Error",
          "java/lang/VirtualMachineError",
          "java/lang/OutOfMemoryError",
          "java/lang/StackOverflowError");

  private static List<ClassNode> compiled() throws IOException {
    List<ClassNode> compiled = new ArrayList<>();
    try (Stream<Path> files = Files.walk(COMPILED)) {
      for (Path path : files.filter(p -> p.toString().endsWith(".class")).sorted().toList()) {
        ClassNode node = new ClassNode();
        new ClassReader(Files.readAllBytes(path)).accept(node, ClassReader.SKIP_DEBUG);
        compiled.add(node);
      }
    }
    return compiled;
  }

  private static boolean meet(MethodNode method, TryCatchBlockNode one, TryCatchBlockNode other) {
    int from = Math.max(place(method, one.start), place(method, other.start));
    return from < Math.min(place(method, one.end), place(method, other.end));
  }

  private static int place(MethodNode method, AbstractInsnNode node) {
    return method.instructions.indexOf(node);
  }

  /** Whether the handler of one lies in the range of the other, which then sees what is new. */
  private static boolean isWithin(
      MethodNode method, TryCatchBlockNode one, TryCatchBlockNode other) {
    int at = place(method, one.handler);
    return place(method, other.start) <= at && at < place(method, other.end);
  }

  @Test
  void errorsOfNoRoomAreCaughtBeforeWhatNeedsSome() throws IOException {
    List<String> wrong = new ArrayList<>();
    int n = 0;
    for (ClassNode node : compiled()) {
      for (MethodNode method : node.methods) {
        List<TryCatchBlockNode> blocks = method.tryCatchBlocks;
        for (int k = 0; k < blocks.size(); k++) {
          TryCatchBlockNode block = blocks.get(k);
          if (block.type == null || !ERRORS_OF_NO_ROOM.contains(block.type)) {
            continue;
          }
          n++;
          for (TryCatchBlockNode before : blocks.subList(0, k)) {
            boolean isThere = before.type == null || THERE.contains(before.type);
            if (!isThere && meet(method, before, block) && !isWithin(method, before, block)) {
              wrong.add(node.name + "." + method.name + ": " + before.type + ", " + block.type);
            }
          }
        }
      }
    }
    assertNotEquals(0, n);
    assertEquals("", String.join("\n", wrong));
  }
}
