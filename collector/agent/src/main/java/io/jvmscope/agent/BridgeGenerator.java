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

import java.util.Set;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;

/** Generates {@code JdkBridge}, one of the {@link RuntimeClasses}, for the JDK that is prepared. */
final class BridgeGenerator {
  private static final String DISPATCHER = "sun/nio/ch/UnixFileDispatcherImpl"; // since 20
  private static final String OLD_DISPATCHER = "sun/nio/ch/FileDispatcherImpl";
  private static final String CHANNEL = "sun/nio/ch/FileChannelImpl";

  private BridgeGenerator() {}

  /**
   * The class file.
   *
   * @param classNames the classes of java.base
   */
  static byte[] generate(Set<String> classNames) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(V17, ACC_FINAL, RuntimeClasses.BRIDGE, null, "java/lang/Object", null);
    boolean isNew = classNames.contains(DISPATCHER);
    writeMap(writer, isNew);
    writeWrite(writer, isNew ? DISPATCHER : OLD_DISPATCHER);
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static void writeMap(ClassWriter writer, boolean isNew) {
    MethodVisitor map =
        writer.visitMethod(
            ACC_STATIC,
            "map",
            "(Ljava/nio/channels/FileChannel;Ljava/io/FileDescriptor;J)J",
            null,
            null);
    map.visitCode();
    if (isNew) {
      map.visitVarInsn(ALOAD, 1);
    } else {
      map.visitVarInsn(ALOAD, 0);
      map.visitTypeInsn(CHECKCAST, CHANNEL);
    }
    map.visitInsn(ICONST_1); // read and write
    map.visitInsn(LCONST_0);
    map.visitVarInsn(LLOAD, 2);
    map.visitInsn(ICONST_0); // not synchronous
    if (isNew) {
      map.visitMethodInsn(
          INVOKESTATIC, DISPATCHER, "map0", "(Ljava/io/FileDescriptor;IJJZ)J", false);
    } else {
      map.visitMethodInsn(INVOKEVIRTUAL, CHANNEL, "map0", "(IJJZ)J", false);
    }
    map.visitInsn(LRETURN);
    map.visitMaxs(0, 0);
    map.visitEnd();
  }

  private static void writeWrite(ClassWriter writer, String dispatcher) {
    MethodVisitor write =
        writer.visitMethod(ACC_STATIC, "write", "(Ljava/io/FileDescriptor;JIJ)I", null, null);
    write.visitCode();
    write.visitVarInsn(ALOAD, 0);
    write.visitVarInsn(LLOAD, 1);
    write.visitVarInsn(ILOAD, 3);
    write.visitVarInsn(LLOAD, 4);
    write.visitMethodInsn(
        INVOKESTATIC, dispatcher, "pwrite0", "(Ljava/io/FileDescriptor;JIJ)I", false);
    write.visitInsn(IRETURN);
    write.visitMaxs(0, 0);
    write.visitEnd();
  }
}
