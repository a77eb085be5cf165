package io.jvmscope.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.LeafMethods;
import io.jvmscope.classfile.MethodPlan.Coverage;
import io.jvmscope.probe.Probes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Objects that are not initialised, in variables and anywhere on the stack. The compilers of Kotlin
 * and Scala put what is on the stack into variables where an argument of a constructor has a loop
 * or a {@code try}; javac never does. Each shape, with each probe alone and all together, passes
 * the VM's verifier, and all of it is counted.
 */
final class UninitializedTest {
  /** What is initialised: the object of a constructor, or one that it makes. */
  private enum Which {
    THIS,
    NEW,
    NEW_TWICE // as an argument of another constructor
  }

  /** Where it is meanwhile. */
  private enum Place {
    STACK,
    VARIABLE, // one copy, and none is left on the stack
    VARIABLES, // two, from which it is loaded again
    USED, // one that referred to another object before
    SWAPPED, // below another value
    FORGOTTEN // in a variable, and in another one that frames leave out as it is not used again
  }

  /** What comes before its constructor is called. */
  private enum Between {
    NOTHING,
    CALL,
    BRANCH,
    LOOP,
    CATCH,
    COPY, // into a variable, on one way only
    STORE // of another object into the variable, once this one is in another
  }

  private static final int FIRST = 4;
  private static final int FORGOTTEN = 10;

  static Stream<Arguments> shapes() {
    List<Arguments> shapes = new ArrayList<>();
    List<String> probes = new ArrayList<>(List.of(Probes.names().split(",")));
    List<String> chosen = new ArrayList<>(probes);
    chosen.add(Probes.names());
    for (String names : chosen) {
      for (Which object : Which.values()) {
        for (Place place : Place.values()) {
          for (Between between : Between.values()) {
            if (between != Between.CATCH || isAlone(object, place)) {
              shapes.add(new Arguments(names, object, place, between));
            }
          }
        }
      }
    }
    return shapes.stream();
  }

  /** Is nothing on the stack, which a handler clears? */
  private static boolean isAlone(Which object, Place place) {
    boolean isCopied = object != Which.THIS;
    boolean isInVariable = place == Place.VARIABLE || place == Place.USED;
    boolean isMoved = isInVariable || place == Place.VARIABLES || !isCopied;
    return place != Place.STACK && isMoved && object != Which.NEW_TWICE;
  }

  record Arguments(String probes, Which object, Place place, Between between) {}

  @ParameterizedTest
  @MethodSource("shapes")
  void isNotShownToAnybody(Arguments shape) throws Exception {
    ClassFile file = new ClassFile(made(shape));
    new Loader().verify(file.bytes());
    Probes probes = Probes.of(Map.of("probes", shape.probes()));
    FieldKeys keys = FieldKeys.none(true, false);
    Instrumenter instrumenter = new Instrumenter(LeafMethods.NONE, probes);
    Instrumenter.Result result =
        instrumenter.instrument(file, 1_000_000, false, Calls.THROUGH_OBJECT, keys, List.of());
    new Loader().verify(result.bytes());
    assertEquals(Coverage.FULL, result.coverage()[0]);
  }

  private static byte[] made(Arguments shape) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
    String superclass = "java/lang/Object";
    writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "made/Made", null, superclass, null);
    MethodVisitor body = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "(I)V", null, null);
    body.visitCode();
    if (shape.object() == Which.THIS) {
      body.visitVarInsn(Opcodes.ALOAD, 0);
      hide(body, shape);
      construct(body, superclass, "()V", shape);
    } else {
      body.visitVarInsn(Opcodes.ALOAD, 0);
      body.visitMethodInsn(Opcodes.INVOKESPECIAL, superclass, "<init>", "()V", false);
      make(body, shape);
    }
    body.visitInsn(Opcodes.RETURN);
    body.visitMaxs(0, 0);
    body.visitEnd();
    writer.visitEnd();
    return shape.place() == Place.FORGOTTEN
        ? forgetful(writer.toByteArray())
        : writer.toByteArray();
  }

  /** As the compiler of Kotlin writes frames, without a variable that is not used again. */
  private static byte[] forgetful(byte[] bytes) {
    ClassNode tree = new ClassNode();
    new ClassReader(bytes).accept(tree, ClassReader.EXPAND_FRAMES);
    for (MethodNode method : tree.methods) {
      for (AbstractInsnNode i : method.instructions) {
        if (i instanceof FrameNode frame && frame.local.size() > FORGOTTEN) {
          frame.local = new ArrayList<>(frame.local);
          frame.local.set(FORGOTTEN, Opcodes.TOP);
        }
      }
    }
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    tree.accept(writer);
    return writer.toByteArray();
  }

  private static void make(MethodVisitor body, Arguments shape) {
    boolean isTwice = shape.object() == Which.NEW_TWICE;
    if (isTwice) {
      body.visitTypeInsn(Opcodes.NEW, "java/lang/Error");
      body.visitInsn(Opcodes.DUP);
    }
    body.visitTypeInsn(Opcodes.NEW, "java/lang/Error");
    if (shape.place() != Place.VARIABLE && shape.place() != Place.USED) {
      body.visitInsn(Opcodes.DUP);
    }
    hide(body, shape);
    construct(body, "java/lang/Error", "()V", shape);
    if (isTwice) {
      if (shape.place() == Place.VARIABLE || shape.place() == Place.USED) {
        body.visitVarInsn(Opcodes.ALOAD, FIRST);
      }
      String takesCause = "(Ljava/lang/Throwable;)V";
      body.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Error", "<init>", takesCause, false);
      body.visitInsn(Opcodes.POP);
    } else if (shape.place() != Place.VARIABLE && shape.place() != Place.USED) {
      body.visitInsn(Opcodes.POP);
    }
  }

  /** Puts the uppermost object, of which there may be a copy below, where it is meanwhile. */
  private static void hide(MethodVisitor body, Arguments shape) {
    boolean isCopied = shape.object() != Which.THIS;
    switch (shape.place()) {
      case STACK -> between(body, shape);
      case VARIABLE -> {
        body.visitVarInsn(Opcodes.ASTORE, FIRST);
        between(body, shape);
        body.visitVarInsn(Opcodes.ALOAD, FIRST);
      }
      case USED -> {
        body.visitLdcInsn("before");
        body.visitVarInsn(Opcodes.ASTORE, FIRST);
        body.visitVarInsn(Opcodes.ASTORE, FIRST);
        between(body, shape);
        body.visitVarInsn(Opcodes.ALOAD, FIRST);
      }
      case VARIABLES -> {
        if (!isCopied) {
          body.visitInsn(Opcodes.DUP);
        }
        body.visitVarInsn(Opcodes.ASTORE, FIRST);
        body.visitVarInsn(Opcodes.ASTORE, FIRST + 1);
        between(body, shape);
        if (isCopied) {
          body.visitVarInsn(Opcodes.ALOAD, FIRST + 1);
        }
        body.visitVarInsn(Opcodes.ALOAD, shape.between() == Between.STORE ? FIRST + 1 : FIRST);
      }
      case FORGOTTEN -> {
        body.visitInsn(Opcodes.DUP);
        body.visitVarInsn(Opcodes.ASTORE, FORGOTTEN);
        body.visitVarInsn(Opcodes.ASTORE, FIRST);
        between(body, shape);
        body.visitVarInsn(Opcodes.ALOAD, FIRST);
      }
      case SWAPPED -> {
        body.visitVarInsn(Opcodes.ASTORE, FIRST);
        between(body, shape);
        body.visitVarInsn(Opcodes.ALOAD, FIRST);
        body.visitLdcInsn("above");
        body.visitInsn(Opcodes.SWAP);
        body.visitInsn(Opcodes.SWAP);
        body.visitInsn(Opcodes.POP);
      }
    }
  }

  private static void between(MethodVisitor body, Arguments shape) {
    boolean hasTwo = shape.place() == Place.VARIABLES;
    switch (shape.between()) {
      case NOTHING -> {}
      case CALL -> call(body);
      case STORE -> {
        body.visitLdcInsn("other");
        body.visitVarInsn(Opcodes.ASTORE, hasTwo ? FIRST : FIRST + 2);
        call(body);
      }
      case BRANCH -> {
        Label end = new Label();
        body.visitVarInsn(Opcodes.ILOAD, 1);
        body.visitJumpInsn(Opcodes.IFEQ, end);
        call(body);
        body.visitLabel(end);
      }
      case COPY -> {
        if (shape.place() != Place.STACK) {
          Label end = new Label();
          body.visitVarInsn(Opcodes.ILOAD, 1);
          body.visitJumpInsn(Opcodes.IFEQ, end);
          body.visitVarInsn(Opcodes.ALOAD, FIRST);
          body.visitVarInsn(Opcodes.ASTORE, FIRST + 3);
          call(body);
          body.visitLabel(end);
        }
      }
      case LOOP -> {
        Label again = new Label();
        body.visitLabel(again);
        call(body);
        body.visitIincInsn(1, 1);
        body.visitVarInsn(Opcodes.ILOAD, 1);
        body.visitJumpInsn(Opcodes.IFLT, again);
      }
      case CATCH -> {
        Label start = new Label();
        Label end = new Label();
        Label handler = new Label();
        Label out = new Label();
        body.visitTryCatchBlock(start, end, handler, "java/lang/Exception");
        body.visitLabel(start);
        call(body);
        body.visitJumpInsn(Opcodes.GOTO, out);
        body.visitLabel(end);
        body.visitLabel(handler);
        body.visitVarInsn(Opcodes.ASTORE, FIRST + 3);
        call(body);
        body.visitLabel(out);
      }
    }
  }

  private static void call(MethodVisitor body) {
    body.visitTypeInsn(Opcodes.NEW, "java/lang/Object");
    body.visitInsn(Opcodes.DUP);
    body.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    body.visitVarInsn(Opcodes.ASTORE, FIRST + 2);
    body.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Thread", "onSpinWait", "()V", false);
  }

  private static void construct(
      MethodVisitor body, String owner, String descriptor, Arguments shape) {
    body.visitMethodInsn(Opcodes.INVOKESPECIAL, owner, "<init>", descriptor, false);
    if (shape.place() != Place.STACK) { // a variable has it, too, now
      boolean isOverwritten = shape.place() == Place.VARIABLES && shape.between() == Between.STORE;
      body.visitVarInsn(Opcodes.ALOAD, isOverwritten ? FIRST + 1 : FIRST);
      body.visitInsn(Opcodes.POP);
    }
  }

  private static final class Loader extends ClassLoader {
    void verify(byte[] bytes) {
      Class<?> type = defineClass(null, bytes, 0, bytes.length);
      assertTrue(type.getDeclaredConstructors().length > 0);
      try {
        Class.forName(type.getName(), true, this); // links it
      } catch (ClassNotFoundException e) {
        throw new AssertionError(e);
      }
    }
  }
}
