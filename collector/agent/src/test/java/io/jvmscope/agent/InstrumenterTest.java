package io.jvmscope.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.LeafMethods;
import io.jvmscope.classfile.MethodPlan.Coverage;
import io.jvmscope.probe.Probes;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.Attribute;
import org.objectweb.asm.ByteVector;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Class files at the limits of the format. Whatever cannot be counted is left as it is, and what
 * comes out passes the VM's verifier; that the counts are right, other tests say.
 */
final class InstrumenterTest {
  private static final Probes ALL =
      Probes.of(
          Map.of(
              "probes", Probes.names(),
              "exact_exceptions", "true",
              "method_cache", "16x256",
              "consumer", "any",
              "clock", "steps"));

  private static final FieldKeys WATCHED = FieldKeys.none(true, false);

  private static ClassFile classOf(int version, Consumer<ClassWriter> members) {
    ClassWriter writer =
        new ClassWriter(
            version < Opcodes.V1_6 ? ClassWriter.COMPUTE_MAXS : ClassWriter.COMPUTE_FRAMES);
    writer.visit(version, Opcodes.ACC_PUBLIC, "made/Made", null, "java/lang/Object", null);
    members.accept(writer);
    writer.visitEnd();
    return new ClassFile(writer.toByteArray());
  }

  private static void method(ClassWriter writer, String name, Consumer<MethodVisitor> body) {
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC;
    MethodVisitor method = writer.visitMethod(access, name, "()V", null, null);
    method.visitCode();
    body.accept(method);
    method.visitInsn(Opcodes.RETURN);
    method.visitMaxs(0, 0);
    method.visitEnd();
  }

  private static void small(ClassWriter writer) {
    method(writer, "small", body -> {});
  }

  /** Instruments with and without probes, has the VM verify both, and returns the coverage. */
  private static Coverage[] coverageOf(ClassFile file) throws Exception {
    instrument(file, ALL);
    return instrument(file, Probes.NONE);
  }

  private static Coverage[] instrument(ClassFile file, Probes probes) throws Exception {
    Instrumenter instrumenter = new Instrumenter(LeafMethods.NONE, probes);
    Instrumenter.Result result =
        instrumenter.instrument(file, 1_000_000, false, Calls.THROUGH_OBJECT, WATCHED, List.of());
    new Loader().verify(result.bytes());
    return result.coverage();
  }

  private static final class Loader extends ClassLoader {
    Class<?> verify(byte[] bytes) {
      Class<?> type = defineClass(null, bytes, 0, bytes.length);
      assertTrue(type.getDeclaredMethods().length > 0); // to ask has the VM link the class
      return type;
    }
  }

  /** The VM passes over what it does not know in code, also where the name means much elsewhere. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Code",
        "Exceptions",
        "Signature",
        "Deprecated",
        "Synthetic",
        "MethodParameters",
        "RuntimeVisibleAnnotations",
        "AnnotationDefault",
        "made.up"
      })
  void leavesAttributesOfCodeInTheCode(String name) throws Exception {
    ClassFile file =
        classOf(
            Opcodes.V17,
            writer ->
                method(writer, "small", body -> body.visitAttribute(new CodeAttribute(name))));
    new Loader().verify(file.bytes());
    for (Probes probes : List.of(ALL, Probes.NONE)) {
      Instrumenter.Result result =
          new Instrumenter(LeafMethods.NONE, probes)
              .instrument(file, 1_000_000, false, Calls.THROUGH_OBJECT, WATCHED, List.of());
      Class<?> type = new Loader().verify(result.bytes());
      Method method = type.getDeclaredMethod("small");
      assertEquals(0, method.getExceptionTypes().length);
      assertEquals(0, method.getAnnotations().length);
      assertFalse(method.isSynthetic());
      ClassNode tree = new ClassNode();
      new ClassReader(result.bytes()).accept(tree, ClassReader.SKIP_CODE);
      assertNull(tree.methods.get(0).attrs);
    }
  }

  /** An attribute of two bytes of a method's code. */
  private static final class CodeAttribute extends Attribute {
    CodeAttribute(String name) {
      super(name);
    }

    @Override
    public boolean isCodeAttribute() {
      return true;
    }

    @Override
    protected ByteVector write(
        ClassWriter writer, byte[] code, int codeLength, int maxStack, int maxLocals) {
      return new ByteVector().putShort(0);
    }
  }

  @Test
  void leavesAMethodAloneWhoseFrameHasNoRoom() throws Exception {
    ClassFile file =
        classOf(
            Opcodes.V17,
            writer -> {
              method(
                  writer,
                  "full",
                  body -> {
                    body.visitInsn(Opcodes.ICONST_0);
                    body.visitVarInsn(Opcodes.ISTORE, 65_534);
                  });
              small(writer);
            });
    Coverage[] coverage = coverageOf(file);
    assertEquals(Coverage.NONE, coverage[0]);
    assertEquals(Coverage.FULL, coverage[1]);
  }

  @Test
  void countsBeyondLocalsThatNeedWide() throws Exception {
    ClassFile file =
        classOf(
            Opcodes.V17,
            writer ->
                method(
                    writer,
                    "wide",
                    body -> {
                      Label again = new Label();
                      body.visitInsn(Opcodes.ICONST_0);
                      body.visitVarInsn(Opcodes.ISTORE, 40_000);
                      body.visitLabel(again);
                      body.visitIincInsn(40_000, 1_000);
                      body.visitVarInsn(Opcodes.ILOAD, 40_000);
                      body.visitJumpInsn(Opcodes.IFLT, again);
                    }));
    assertEquals(Coverage.FULL, coverageOf(file)[0]);
  }

  /**
   * A class of version 50 need not have frames: the VM then verifies it as it does older ones.
   * Here, a handler of a synchronized block covers itself.
   */
  @ParameterizedTest
  @ValueSource(ints = {Opcodes.V1_5, Opcodes.V1_6})
  void countsAHandlerThatHasNoFrame(int version) throws Exception {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(version, Opcodes.ACC_PUBLIC, "made/Made", null, "java/lang/Object", null);
    method(
        writer,
        "locked",
        body -> {
          Label start = new Label();
          Label end = new Label();
          Label handler = new Label();
          Label handled = new Label();
          body.visitTryCatchBlock(start, end, handler, null);
          body.visitTryCatchBlock(handler, handled, handler, null);
          body.visitLdcInsn("lock");
          body.visitInsn(Opcodes.DUP);
          body.visitVarInsn(Opcodes.ASTORE, 0);
          body.visitInsn(Opcodes.MONITORENTER);
          body.visitLabel(start);
          body.visitVarInsn(Opcodes.ALOAD, 0);
          body.visitInsn(Opcodes.MONITOREXIT);
          body.visitLabel(end);
          body.visitInsn(Opcodes.RETURN);
          body.visitLabel(handler);
          body.visitVarInsn(Opcodes.ASTORE, 1);
          body.visitVarInsn(Opcodes.ALOAD, 0);
          body.visitInsn(Opcodes.MONITOREXIT);
          body.visitLabel(handled);
        });
    writer.visitEnd();
    assertEquals(Coverage.FULL, coverageOf(new ClassFile(writer.toByteArray()))[0]);
  }

  /** Each dimension of each array instruction takes a slot, so few bytes take many of them. */
  @ParameterizedTest
  @ValueSource(ints = {250, 350})
  void countsLessWhereANodeWouldHaveTooManySlots(int arrays) throws Exception {
    int dimensions = 250;
    ClassFile file =
        classOf(
            Opcodes.V17,
            writer ->
                method(
                    writer,
                    "many",
                    body -> {
                      for (int k = 0; k < arrays; k++) {
                        body.visitInsn(Opcodes.ICONST_0);
                        body.visitInsn(Opcodes.ICONST_0);
                        for (int n = 2; n < dimensions; n += 2) {
                          body.visitInsn(Opcodes.DUP2);
                        }
                        body.visitMultiANewArrayInsn("[".repeat(dimensions) + "I", dimensions);
                        body.visitInsn(Opcodes.POP);
                      }
                    }));
    Probes allocations = Probes.of(Map.of("probes", "allocations"));
    boolean fits = arrays * dimensions <= 0xFFFF;
    Coverage[] coverage = instrument(file, allocations);
    assertEquals(fits ? Coverage.FULL : Coverage.CALLS, coverage[0]);
  }

  /** As compilers other than javac write frames: what is not needed any more is not in them. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void countsAConstructorWhoseFramesDropTheObject(boolean jumpsBefore) throws Exception {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "made/Made", null, "java/lang/Object", null);
    writer.visitField(Opcodes.ACC_PRIVATE, "number", "I", null, null).visitEnd();
    MethodVisitor body = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "(I)V", null, null);
    Label end = new Label();
    Label around = new Label();
    Object[] before = {Opcodes.UNINITIALIZED_THIS, Opcodes.INTEGER};
    body.visitCode();
    if (jumpsBefore) {
      body.visitVarInsn(Opcodes.ILOAD, 1);
      body.visitJumpInsn(Opcodes.IFEQ, around);
      body.visitIincInsn(1, 1);
      body.visitLabel(around);
      body.visitFrame(Opcodes.F_NEW, 2, before, 0, new Object[0]);
    }
    body.visitVarInsn(Opcodes.ALOAD, 0);
    body.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    body.visitVarInsn(Opcodes.ALOAD, 0);
    body.visitVarInsn(Opcodes.ILOAD, 1);
    body.visitFieldInsn(Opcodes.PUTFIELD, "made/Made", "number", "I");
    body.visitVarInsn(Opcodes.ILOAD, 1);
    body.visitJumpInsn(Opcodes.IFEQ, end);
    body.visitIincInsn(1, 1);
    body.visitLabel(end);
    body.visitFrame(
        Opcodes.F_NEW, 2, new Object[] {Opcodes.TOP, Opcodes.INTEGER}, 0, new Object[0]);
    body.visitInsn(Opcodes.RETURN);
    body.visitMaxs(0, 0);
    body.visitEnd();
    small(writer);
    writer.visitEnd();
    assertEquals(Coverage.FULL, coverageOf(new ClassFile(writer.toByteArray()))[0]);
  }

  @ParameterizedTest
  @ValueSource(ints = {8_000, 16_000})
  void countsLessOfAMethodNear64KbOfBlocks(int blocks) throws Exception {
    ClassFile file =
        classOf(
            Opcodes.V17,
            writer -> {
              method(
                  writer,
                  "huge",
                  body -> {
                    for (int k = 0; k < blocks; k++) {
                      Label next = new Label();
                      body.visitInsn(Opcodes.ICONST_0);
                      body.visitJumpInsn(Opcodes.IFEQ, next);
                      body.visitLabel(next);
                    }
                  });
              small(writer);
            });
    Coverage[] coverage = coverageOf(file);
    assertEquals(Coverage.SITES, coverage[0]);
    assertEquals(Coverage.FULL, coverage[1]);
  }

  @Test
  void countsCallsOnlyOfAMethodWith20000CallSites() throws Exception {
    ClassFile file =
        classOf(
            Opcodes.V17,
            writer -> {
              method(
                  writer,
                  "calls",
                  body -> {
                    for (int k = 0; k < 20_000; k++) {
                      body.visitMethodInsn(
                          Opcodes.INVOKESTATIC, "made/Made", "small", "()V", false);
                    }
                  });
              small(writer);
            });
    assertEquals(Coverage.CALLS, coverageOf(file)[0]);
  }

  @Test
  void countsFewerMethodsOfAClassWhoseConstantPoolIsNearlyFull() throws Exception {
    ClassFile file =
        classOf(
            Opcodes.V17,
            writer -> {
              for (int k = 0; k < 65_300; k++) {
                writer.newConst(k + 10_000_000);
              }
              for (int k = 0; k < 40; k++) {
                method(writer, "m" + k, body -> {});
              }
            });
    Coverage[] coverage = coverageOf(file);
    assertEquals(Coverage.FULL, coverage[0]);
    int counted = 0;
    for (Coverage level : coverage) {
      counted += level == Coverage.FULL ? 1 : 0;
    }
    assertTrue(counted > 1 && counted < 41, counted + " methods");
  }

  @Test
  void countsSubroutinesOfOldClasses() throws Exception {
    ClassFile file =
        classOf(
            Opcodes.V1_2,
            writer ->
                method(
                    writer,
                    "old",
                    body -> {
                      Label routine = new Label();
                      Label end = new Label();
                      body.visitJumpInsn(Opcodes.JSR, routine);
                      body.visitJumpInsn(Opcodes.GOTO, end);
                      body.visitLabel(routine);
                      body.visitVarInsn(Opcodes.ASTORE, 0);
                      body.visitVarInsn(Opcodes.RET, 0);
                      body.visitLabel(end);
                    }));
    assertEquals(Coverage.FULL, coverageOf(file)[0]);
  }

  @Test
  void countsAroundDynamicConstants() throws Exception {
    Handle bootstrap =
        new Handle(
            Opcodes.H_INVOKESTATIC,
            "java/lang/invoke/ConstantBootstraps",
            "nullConstant",
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)"
                + "Ljava/lang/Object;",
            false);
    ConstantDynamic constant = new ConstantDynamic("nothing", "Ljava/lang/Object;", bootstrap);
    ClassFile file =
        classOf(
            Opcodes.V17,
            writer ->
                method(
                    writer,
                    "dynamic",
                    body -> {
                      body.visitLdcInsn(constant);
                      body.visitInsn(Opcodes.POP);
                    }));
    assertEquals(Coverage.FULL, coverageOf(file)[0]);
  }

  @Test
  void leavesAMethodAloneThatCannotBePlanned() throws Exception {
    LeafMethods broken =
        new LeafMethods() {
          @Override
          public Leaf find(int opcode, String owner, String name, String descriptor) {
            throw new IllegalStateException("cannot plan " + name);
          }
        };
    ClassFile calling =
        classOf(
            Opcodes.V17,
            writer -> {
              method(
                  writer,
                  "refused",
                  body ->
                      body.visitMethodInsn(
                          Opcodes.INVOKESTATIC, "made/Made", "small", "()V", false));
              small(writer);
            });
    Instrumenter.Result result =
        new Instrumenter(broken, Probes.NONE)
            .instrument(calling, 1, false, Calls.THROUGH_OBJECT, null, List.of());
    assertEquals(Coverage.NONE, result.coverage()[0]);
    assertEquals(Coverage.FULL, result.coverage()[1]);
    new Loader().verify(result.bytes());
  }

  /** Which variables of each method a debugger finds where it stops first. */
  private static List<String> atEntry(byte[] classFile) {
    ClassNode node = new ClassNode();
    new ClassReader(classFile).accept(node, 0);
    List<String> found = new ArrayList<>();
    for (MethodNode method : node.methods) {
      for (LocalVariableNode variable : method.localVariables) {
        AbstractInsnNode before = variable.start.getPrevious();
        while (before != null && before.getOpcode() < 0) {
          before = before.getPrevious();
        }
        if (before == null) {
          found.add(method.name + method.desc + " " + variable.name + " " + variable.index);
        }
      }
    }
    return found;
  }

  @Test
  void leavesParametersWhereAMethodBegins() throws Exception {
    for (Class<?> type : List.of(InstrumenterTest.class, Loader.class, CodeAttribute.class)) {
      String name = type.getName().substring(type.getPackageName().length() + 1) + ".class";
      try (InputStream in = type.getResourceAsStream(name)) {
        ClassFile file = new ClassFile(in.readAllBytes());
        List<String> expected = atEntry(file.bytes());
        assertTrue(expected.size() > 1, name);
        for (Probes probes : List.of(ALL, Probes.NONE)) {
          Instrumenter.Result result =
              new Instrumenter(LeafMethods.NONE, probes)
                  .instrument(file, 1_000_000, false, Calls.THROUGH_OBJECT, WATCHED, List.of());
          assertEquals(expected, atEntry(result.bytes()), name);
        }
      }
    }
  }

  @Test
  void givesAClassWithoutCodeBackAsItWas() {
    ClassFile file = classOf(Opcodes.V17, writer -> {});
    Instrumenter.Result result =
        new Instrumenter(LeafMethods.NONE, Probes.NONE)
            .instrument(file, 1, false, Calls.THROUGH_OBJECT, null, List.of());
    assertSame(file.bytes(), result.bytes());
  }
}
