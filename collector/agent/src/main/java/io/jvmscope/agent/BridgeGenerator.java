package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.CHECKCAST;
import static org.objectweb.asm.Opcodes.ICONST_0;
import static org.objectweb.asm.Opcodes.ICONST_1;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.LCONST_0;
import static org.objectweb.asm.Opcodes.LLOAD;
import static org.objectweb.asm.Opcodes.LRETURN;
import static org.objectweb.asm.Opcodes.V17;

import java.util.List;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;

/**
 * Generates {@code JdkBridge}, one of the {@link RuntimeClasses}, for the JDK that is prepared: it
 * maps and writes the arena's file by natives of the JDK's file channels, which moved in JDK 20.
 */
final class BridgeGenerator {
  /** A native method of the JDK that the bridge calls. */
  record Native(String owner, String name, String descriptor, boolean isStatic) {}

  private static final String DESCRIPTOR = "Ljava/io/FileDescriptor;";
  private static final String WRITE = "(" + DESCRIPTOR + "JIJ)I";
  private static final List<Native> FROM_20 =
      List.of(
          new Native(
              "sun/nio/ch/UnixFileDispatcherImpl", "map0", "(" + DESCRIPTOR + "IJJZ)J", true),
          new Native("sun/nio/ch/UnixFileDispatcherImpl", "pwrite0", WRITE, true));
  private static final List<Native> BEFORE_20 =
      List.of(
          new Native("sun/nio/ch/FileChannelImpl", "map0", "(IJJZ)J", false),
          new Native("sun/nio/ch/FileDispatcherImpl", "pwrite0", WRITE, true));

  private BridgeGenerator() {}

  /** The natives of this JDK that the bridge calls: the one that maps, the one that writes. */
  static List<Native> natives() {
    return Runtime.version().feature() >= 20 ? FROM_20 : BEFORE_20;
  }

  /** The class file. */
  static byte[] generate() {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(V17, ACC_FINAL, RuntimeClasses.BRIDGE, null, "java/lang/Object", null);
    writeMap(writer, natives().get(0));
    writeWrite(writer, natives().get(1));
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static void writeMap(ClassWriter writer, Native map) {
    MethodVisitor method =
        writer.visitMethod(
            ACC_STATIC, "map", "(Ljava/nio/channels/FileChannel;" + DESCRIPTOR + "J)J", null, null);
    method.visitCode();
    if (map.isStatic()) {
      method.visitVarInsn(ALOAD, 1);
    } else {
      method.visitVarInsn(ALOAD, 0);
      method.visitTypeInsn(CHECKCAST, map.owner());
    }
    method.visitInsn(ICONST_1); // read and write
    method.visitInsn(LCONST_0);
    method.visitVarInsn(LLOAD, 2);
    method.visitInsn(ICONST_0); // not synchronous
    call(method, map);
    method.visitInsn(LRETURN);
    method.visitMaxs(0, 0);
    method.visitEnd();
  }

  private static void writeWrite(ClassWriter writer, Native write) {
    MethodVisitor method = writer.visitMethod(ACC_STATIC, "write", WRITE, null, null);
    method.visitCode();
    method.visitVarInsn(ALOAD, 0);
    method.visitVarInsn(LLOAD, 1);
    method.visitVarInsn(ILOAD, 3);
    method.visitVarInsn(LLOAD, 4);
    call(method, write);
    method.visitInsn(IRETURN);
    method.visitMaxs(0, 0);
    method.visitEnd();
  }

  private static void call(MethodVisitor method, Native callee) {
    int opcode = callee.isStatic() ? INVOKESTATIC : INVOKEVIRTUAL;
    method.visitMethodInsn(opcode, callee.owner(), callee.name(), callee.descriptor(), false);
  }
}
