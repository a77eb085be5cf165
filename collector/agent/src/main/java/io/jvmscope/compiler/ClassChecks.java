package io.jvmscope.compiler;

import io.jvmscope.compiler.SnippetCompiler.Refused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * What class files show best: code that the VM would link by running Java, which would initialise
 * classes of the JDK before the program does, and calls that are forbidden.
 */
final class ClassChecks {
  private ClassChecks() {}

  /** Refuses lambdas and forbidden calls, in the class files of a directory. */
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
      boolean isOfRecord = Set.of("toString", "hashCode", "equals").contains(name);
      return new Instructions(source, isOfRecord);
    }
  }

  private static final class Instructions extends MethodVisitor {
    private final Path source;
    private final boolean isOfRecord; // the VM generates its code
    private int line = 1;

    Instructions(Path source, boolean isOfRecord) {
      super(Opcodes.ASM9);
      this.source = source;
      this.isOfRecord = isOfRecord;
    }

    @Override
    public void visitLineNumber(int number, Label start) {
      line = number;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      checkMember(owner, name);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      checkMember(owner, name);
    }

    private void checkMember(String owner, String name) {
      String reason = ForbiddenCalls.reason(owner, name);
      if (reason != null) {
        String member = name.equals("<init>") ? "new " + owner : owner + "." + name;
        throw refused("a snippet does not use " + member.replace('/', '.') + ": " + reason);
      }
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      if (!isOfRecord) {
        throw refused(
            "a snippet has no lambdas, method references or switches over patterns; the VM"
                + " would link them in the middle of the program. Use a loop or a class");
      }
    }

    private Refused refused(String message) {
      return new Refused(source + ":" + line + ": " + message);
    }
  }
}
