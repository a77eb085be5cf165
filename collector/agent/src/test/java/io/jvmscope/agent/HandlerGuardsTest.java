package io.jvmscope.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SUPER;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.MONITORENTER;
import static org.objectweb.asm.Opcodes.MONITOREXIT;
import static org.objectweb.asm.Opcodes.RETURN;
import static org.objectweb.asm.Opcodes.V17;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.LeafMethods;
import io.jvmscope.probe.Probes;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * No call that is inserted into a handler has it entered again: in the classes of the compiler, and
 * in handlers of forms that those have not.
 */
final class HandlerGuardsTest {
  private static final String COMPILER = "/modules/jdk.compiler/com/sun/tools/javac";
  private static final String DRAINING = "HandlerGuardsTest$Draining";
  private static final String LOCK = "(Ljava/lang/Object;)V";

  private static List<ClassFile> classes() throws IOException {
    List<ClassFile> found = new ArrayList<>();
    Path compiler = FileSystems.getFileSystem(URI.create("jrt:/")).getPath(COMPILER);
    try (Stream<Path> files = Files.walk(compiler)) {
      for (Path path : files.filter(p -> p.toString().endsWith(".class")).sorted().toList()) {
        found.add(new ClassFile(Files.readAllBytes(path)));
      }
    }
    try (InputStream own = HandlerGuardsTest.class.getResourceAsStream(DRAINING + ".class")) {
      found.add(new ClassFile(own.readAllBytes()));
    }
    found.add(new ClassFile(compiledByEclipse()));
    return found;
  }

  /** What comes behind the store of the exception is the head of a loop. */
  static final class Draining {
    Object last;

    void drain(Iterable<?> all) {
      Iterator<?> rest = all.iterator();
      try {
        while (rest.hasNext()) {
          Object next = rest.next();
          if (next == null) {
            break;
          }
          last = next;
        }
      } finally {
        while (rest.hasNext()) {
          last = rest.next();
        }
      }
    }
  }

  /** The handler of {@code synchronized} leaves the exception on the stack. */
  private static byte[] compiledByEclipse() {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
    writer.visit(V17, ACC_SUPER, "io/jvmscope/agent/Eclipse", null, "java/lang/Object", null);
    MethodVisitor method = writer.visitMethod(ACC_STATIC, "lock", LOCK, null, null);
    Label from = new Label();
    Label to = new Label();
    Label handler = new Label();
    Label end = new Label();
    method.visitTryCatchBlock(from, to, handler, null);
    method.visitTryCatchBlock(handler, end, handler, null);
    method.visitCode();
    method.visitVarInsn(ALOAD, 0);
    method.visitInsn(DUP);
    method.visitVarInsn(ASTORE, 1);
    method.visitInsn(MONITORENTER);
    method.visitLabel(from);
    method.visitVarInsn(ALOAD, 0);
    method.visitMethodInsn(INVOKESTATIC, "io/jvmscope/agent/Eclipse", "lock", LOCK, false);
    method.visitVarInsn(ALOAD, 1);
    method.visitInsn(MONITOREXIT);
    method.visitLabel(to);
    method.visitInsn(RETURN);
    method.visitLabel(handler);
    method.visitVarInsn(ALOAD, 1);
    method.visitInsn(MONITOREXIT);
    method.visitLabel(end);
    method.visitInsn(ATHROW);
    method.visitMaxs(0, 0);
    method.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }

  /** Has the VM verify classes that are not its own. */
  private static final class Verifying extends ClassLoader {
    private final Map<String, byte[]> classes;

    Verifying(Map<String, byte[]> classes) {
      this.classes = classes;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        byte[] bytes = classes.get(name);
        Class<?> loaded = findLoadedClass(name);
        if (bytes == null || loaded != null) {
          return loaded != null ? loaded : super.loadClass(name, resolve);
        }
        return defineClass(name, bytes, 0, bytes.length);
      }
    }
  }

  /** The handlers that cover themselves, and how many calls in them enter them again. */
  private static int[] looping(byte[] classFile) {
    ClassNode node = new ClassNode();
    new ClassReader(classFile).accept(node, 0);
    int nHandlers = 0;
    int nCalls = 0;
    for (MethodNode method : node.methods) {
      for (TryCatchBlockNode block : method.tryCatchBlocks) {
        if (!covers(method, block, block.handler)) {
          continue;
        }
        nHandlers++;
        AbstractInsnNode each = block.handler;
        while (each != block.end) {
          if (each instanceof MethodInsnNode call && isOurs(call) && first(method, call) == block) {
            nCalls++;
          }
          each = each.getNext();
        }
      }
    }
    return new int[] {nHandlers, nCalls};
  }

  private static boolean isOurs(MethodInsnNode call) {
    return call.name.contains("jvmscope$") || call.owner.startsWith("jdk/internal/perf/");
  }

  private static TryCatchBlockNode first(MethodNode method, AbstractInsnNode call) {
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      if (covers(method, block, call)) {
        return block;
      }
    }
    return null;
  }

  private static boolean covers(MethodNode method, TryCatchBlockNode block, AbstractInsnNode at) {
    int place = method.instructions.indexOf(at);
    return method.instructions.indexOf(block.start) <= place
        && place < method.instructions.indexOf(block.end);
  }

  @Test
  void nothingInsertedEntersAHandlerAgain() throws Exception {
    for (String names : List.of("", Probes.names())) {
      Probes probes =
          names.isEmpty()
              ? Probes.NONE
              : Probes.of(Map.of("probes", names, "method_cache", "16x256"));
      Instrumenter instrumenter = new Instrumenter(LeafMethods.NONE, probes);
      int nHandlers = 0;
      List<String> wrong = new ArrayList<>();
      Map<String, byte[]> all = new TreeMap<>();
      for (ClassFile file : classes()) {
        FieldKeys keys = FieldKeys.none(true, false);
        byte[] made =
            instrumenter
                .instrument(file, 1_000_000, false, Calls.THROUGH_OBJECT, keys, List.of())
                .bytes();
        all.put(file.name().replace('/', '.'), made);
        int[] found = looping(made);
        nHandlers += found[0];
        if (found[1] > 0) {
          wrong.add(file.name() + ": " + found[1]);
        }
      }
      assertTrue(nHandlers > 20, names);
      assertEquals(List.of(), wrong, names);
      Verifying loader = new Verifying(all);
      for (String name : all.keySet()) {
        try {
          loader.loadClass(name).getDeclaredMethods(); // has the VM link it
        } catch (IllegalAccessError e) { // of what only the JDK's own compiler may name
          continue;
        }
      }
    }
  }
}
