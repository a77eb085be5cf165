package io.jvmscope.agent;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.LeafMethods;
import io.jvmscope.probe.Probes;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * Classes that the VM does not verify, those of the boot loader, may be without frames: before JDK
 * 21 it has none of them for an agent that transforms such a class again. Nothing is counted less
 * then, and nothing is inserted that is not where there are frames.
 */
final class FramelessTest {
  private static final List<String> MODULES = List.of("java.logging", "java.management");

  static Stream<String> probes() {
    return Stream.concat(Stream.of("", Probes.names()), Stream.of(Probes.names().split(",")));
  }

  private static List<ClassFile> classes() throws IOException {
    List<ClassFile> found = new ArrayList<>();
    for (String module : MODULES) {
      Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules", module);
      try (Stream<Path> files = Files.walk(root)) {
        for (Path path : files.filter(p -> p.toString().endsWith(".class")).sorted().toList()) {
          found.add(new ClassFile(Files.readAllBytes(path)));
        }
      }
    }
    return found;
  }

  private static ClassFile withoutFrames(ClassFile file) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(file.bytes()).accept(writer, ClassReader.SKIP_FRAMES);
    return new ClassFile(writer.toByteArray());
  }

  /** The opcodes of each method, and the handlers among them. */
  private static List<List<Integer>> code(byte[] classFile) {
    ClassNode node = new ClassNode();
    new ClassReader(classFile).accept(node, ClassReader.SKIP_FRAMES | ClassReader.SKIP_DEBUG);
    List<List<Integer>> code = new ArrayList<>();
    for (MethodNode method : node.methods) {
      List<Integer> found = new ArrayList<>();
      for (AbstractInsnNode each : method.instructions) {
        if (each.getOpcode() >= 0) {
          found.add(each.getOpcode());
        }
      }
      for (TryCatchBlockNode block : method.tryCatchBlocks) {
        found.add(-method.instructions.indexOf(block.handler));
      }
      code.add(found);
    }
    return code;
  }

  @ParameterizedTest
  @MethodSource("probes")
  void countsTheSameWithoutFrames(String names) throws IOException {
    Probes probes = names.isEmpty() ? Probes.NONE : Probes.of(Map.of("probes", names));
    Instrumenter instrumenter = new Instrumenter(LeafMethods.NONE, probes);
    FieldKeys keys = FieldKeys.none(true, false);
    List<ClassFile> classes = classes();
    assertTrue(classes.size() > 100);
    for (ClassFile file : classes) {
      List<Instrumenter.Result> results = new ArrayList<>();
      for (ClassFile each : List.of(file, withoutFrames(file))) {
        results.add(
            instrumenter.instrument(each, 1_000_000, false, Calls.THROUGH_OBJECT, keys, List.of()));
      }
      Instrumenter.Result framed = results.get(0);
      Instrumenter.Result frameless = results.get(1);
      assertArrayEquals(framed.coverage(), frameless.coverage(), file.name());
      assertEquals(code(framed.bytes()), code(frameless.bytes()), file.name());
    }
  }
}
