package io.jvmscope.compiler;

import io.jvmscope.compiler.SnippetCompiler.Refused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * What only class files show: code that the VM would link by running Java, which would initialise
 * classes of the JDK before the program does.
 */
final class ClassChecks {
  private ClassChecks() {}

  /** Refuses lambdas and their like, in the class files of a directory. */
  static void check(Path classes, List<Path> sources) throws IOException {
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(p -> p.toString().endsWith(".class")).sorted().toList()) {
        new ClassReader(Files.readAllBytes(file))
            .accept(new Checker(sources), ClassReader.SKIP_FRAMES);
      }
    }
  }

  private static final class Checker extends ClassVisitor {
    private final List<Path> sources;
    private Path source;

    Checker(List<Path> sources) {
      super(Opcodes.ASM9);
      this.sources = sources;
    }

    @Override
    public void visitSource(String name, String debug) {
      for (Path each : sources) {
        source = each.getFileName().toString().equals(name) ? each : source;
      }
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      boolean isGenerated = name.equals("toString") || name.equals("hashCode");
      return isGenerated || name.equals("equals") ? null : new Instructions(source);
    }
  }

  private static final class Instructions extends MethodVisitor {
    private final Path source;
    private int line = 1;

    Instructions(Path source) {
      super(Opcodes.ASM9);
      this.source = source;
    }

    @Override
    public void visitLineNumber(int number, Label start) {
      line = number;
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      throw new Refused(
          source
              + ":"
              + line
              + ": a snippet has no lambdas, method references or switches over patterns; the VM"
              + " would link them in the middle of the program. Use a loop or a class");
    }
  }
}
