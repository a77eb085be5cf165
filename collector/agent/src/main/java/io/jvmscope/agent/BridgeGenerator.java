package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ARETURN;
import static org.objectweb.asm.Opcodes.CHECKCAST;
import static org.objectweb.asm.Opcodes.GETSTATIC;
import static org.objectweb.asm.Opcodes.I2L;
import static org.objectweb.asm.Opcodes.ICONST_0;
import static org.objectweb.asm.Opcodes.ICONST_1;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.INVOKEINTERFACE;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.LCONST_0;
import static org.objectweb.asm.Opcodes.LLOAD;
import static org.objectweb.asm.Opcodes.LRETURN;
import static org.objectweb.asm.Opcodes.RETURN;
import static org.objectweb.asm.Opcodes.V17;

import java.util.List;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Generates {@code JdkBridge}, one of the {@link RuntimeClasses}, for the JDK that is prepared: it
 * maps, writes and reads files by natives of the JDK's file channels, which moved in JDK 20, knows
 * where the bytes of an array begin, which is a long since JDK 25, pins virtual threads, of which
 * there are none before JDK 21, and gives access to the cache of scoped values, which are as young.
 * The natives are not public, and stay so: what calls them is added to a class of their package
 * that is.
 */
final class BridgeGenerator {
  /** A native method of the JDK that the bridge calls. */
  record Native(String owner, String name, String descriptor, boolean isStatic) {}

  /** The class that gets the methods that call them. */
  static final String CHANNEL = "sun/nio/ch/FileChannelImpl";

  private static final String DESCRIPTOR = "Ljava/io/FileDescriptor;";
  private static final String MAP = "(Ljava/nio/channels/FileChannel;" + DESCRIPTOR + "J)J";
  private static final String MOVE = "(" + DESCRIPTOR + "JIJ)I"; // from or to memory

  private static final String UNSAFE = "jdk/internal/misc/Unsafe";
  private static final String ARRAY_BASE = "ARRAY_BYTE_BASE_OFFSET";

  private static final String CONTINUATION = "jdk/internal/vm/Continuation";
  private static final List<String> PINNING = List.of("pin", "unpin");

  private static final String ACCESS = AgentEdits.ACCESS;
  private static final String CACHE = "scopedValueCache";
  private static final String CACHE_TYPE = "()[Ljava/lang/Object;";
  private static final String SET_CACHE = "setScopedValueCache";
  private static final String SET_CACHE_TYPE = "([Ljava/lang/Object;)V";

  /** The methods of the bridge that move bytes, in the order of their natives. */
  private static final List<String> MOVING = List.of("write", "read");

  private static final List<Native> FROM_20 =
      List.of(
          new Native(
              "sun/nio/ch/UnixFileDispatcherImpl", "map0", "(" + DESCRIPTOR + "IJJZ)J", true),
          new Native("sun/nio/ch/UnixFileDispatcherImpl", "pwrite0", MOVE, true),
          new Native("sun/nio/ch/UnixFileDispatcherImpl", "pread0", MOVE, true));
  private static final List<Native> BEFORE_20 =
      List.of(
          new Native("sun/nio/ch/FileChannelImpl", "map0", "(IJJZ)J", false),
          new Native("sun/nio/ch/FileDispatcherImpl", "pwrite0", MOVE, true),
          new Native("sun/nio/ch/FileDispatcherImpl", "pread0", MOVE, true));

  private BridgeGenerator() {}

  static List<ClassEdit> of(String className) {
    return switch (className) {
      case CHANNEL -> List.of(BridgeGenerator::check, BridgeGenerator::addTo);
      case "sun/nio/ch/FileDispatcherImpl", "sun/nio/ch/UnixFileDispatcherImpl" ->
          List.of(BridgeGenerator::check);
      case CONTINUATION -> hasContinuations() ? List.of(BridgeGenerator::checkPinning) : List.of();
      default -> List.of();
    };
  }

  /** The natives of this JDK that the bridge calls: those that map, write, and read. */
  static List<Native> natives() {
    return Runtime.version().feature() >= 20 ? FROM_20 : BEFORE_20;
  }

  /** The class file. */
  static byte[] generate() {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(V17, ACC_FINAL, RuntimeClasses.BRIDGE, null, "java/lang/Object", null);
    generateMap(writer);
    for (String name : MOVING) {
      generateMove(writer, name);
    }
    generateBase(writer);
    for (String name : PINNING) {
      generatePinning(writer, name);
    }
    generateScopedValues(writer);
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static void generateMap(ClassWriter writer) {
    MethodVisitor map = writer.visitMethod(ACC_STATIC, "map", MAP, null, null);
    map.visitCode();
    map.visitVarInsn(ALOAD, 0);
    map.visitVarInsn(ALOAD, 1);
    map.visitVarInsn(LLOAD, 2);
    map.visitMethodInsn(INVOKESTATIC, CHANNEL, Calls.PREFIX + "map", MAP, false);
    map.visitInsn(LRETURN);
    map.visitMaxs(0, 0);
  }

  private static void generateMove(ClassWriter writer, String name) {
    MethodVisitor move = writer.visitMethod(ACC_STATIC, name, MOVE, null, null);
    move.visitCode();
    loadMoved(move);
    move.visitMethodInsn(INVOKESTATIC, CHANNEL, Calls.PREFIX + name, MOVE, false);
    move.visitInsn(IRETURN);
    move.visitMaxs(0, 0);
  }

  private static void generateBase(ClassWriter writer) {
    MethodVisitor base = writer.visitMethod(ACC_STATIC, "arrayBase", "()J", null, null);
    base.visitCode();
    boolean isInt = baseType() == int.class;
    base.visitFieldInsn(GETSTATIC, UNSAFE, ARRAY_BASE, isInt ? "I" : "J");
    if (isInt) {
      base.visitInsn(I2L);
    }
    base.visitInsn(LRETURN);
    base.visitMaxs(0, 0);
  }

  private static void generatePinning(ClassWriter writer, String name) {
    MethodVisitor method = writer.visitMethod(ACC_STATIC, name, "()V", null, null);
    method.visitCode();
    if (hasContinuations()) {
      method.visitMethodInsn(INVOKESTATIC, CONTINUATION, name, "()V", false);
    }
    method.visitInsn(RETURN);
    method.visitMaxs(0, 0);
  }

  private static void generateScopedValues(ClassWriter writer) {
    boolean hasValues = hasScopedValues();
    MethodVisitor has = writer.visitMethod(ACC_STATIC, "hasScopedValues", "()Z", null, null);
    has.visitCode();
    has.visitInsn(hasValues ? ICONST_1 : ICONST_0);
    has.visitInsn(IRETURN);
    has.visitMaxs(0, 0);
    if (hasValues) {
      MethodVisitor get = writer.visitMethod(ACC_STATIC, CACHE, CACHE_TYPE, null, null);
      get.visitCode();
      loadAccess(get);
      get.visitMethodInsn(INVOKEINTERFACE, ACCESS, CACHE, CACHE_TYPE, true);
      get.visitInsn(ARETURN);
      get.visitMaxs(0, 0);
      MethodVisitor set = writer.visitMethod(ACC_STATIC, SET_CACHE, SET_CACHE_TYPE, null, null);
      set.visitCode();
      loadAccess(set);
      set.visitVarInsn(ALOAD, 0);
      set.visitMethodInsn(INVOKEINTERFACE, ACCESS, SET_CACHE, SET_CACHE_TYPE, true);
      set.visitInsn(RETURN);
      set.visitMaxs(0, 0);
    }
  }

  private static void loadAccess(MethodVisitor method) {
    String secrets = "jdk/internal/access/SharedSecrets";
    method.visitMethodInsn(INVOKESTATIC, secrets, "getJavaLangAccess", "()L" + ACCESS + ";", false);
  }

  private static boolean hasScopedValues() {
    try {
      Class<?> access = Class.forName(ACCESS.replace('/', '.'));
      access.getMethod(CACHE);
      access.getMethod(SET_CACHE, Object[].class);
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("this JDK lacks " + ACCESS, e);
    }
  }

  private static boolean hasContinuations() {
    return Runtime.version().feature() >= 21; // and nobody's before that without an option
  }

  /** An int in older releases. */
  private static Class<?> baseType() {
    try {
      return Class.forName(UNSAFE.replace('/', '.')).getField(ARRAY_BASE).getType();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JDK lacks " + UNSAFE + "." + ARRAY_BASE, e);
    }
  }

  /** Gives the class of file channels the methods that the bridge calls. */
  static void addTo(ClassNode tree, int baseId) {
    int access = ACC_PUBLIC | ACC_STATIC | ACC_SYNTHETIC;
    MethodNode map = new MethodNode(access, Calls.PREFIX + "map", MAP, null, null);
    writeMap(map, natives().get(0));
    add(tree, map);
    for (int k = 0; k < MOVING.size(); k++) {
      MethodNode method = new MethodNode(access, Calls.PREFIX + MOVING.get(k), MOVE, null, null);
      loadMoved(method);
      call(method, natives().get(k + 1));
      method.visitInsn(IRETURN);
      add(tree, method);
    }
  }

  private static void add(ClassNode tree, MethodNode method) {
    method.maxStack = 7;
    method.maxLocals = 6;
    tree.methods.add(method);
  }

  /** Fails if a class lacks a native that the bridge calls. */
  static void check(ClassNode tree, int baseId) {
    for (Native used : natives()) {
      if (used.owner().equals(tree.name)) {
        Bodies.find(tree, used.name(), used.descriptor());
      }
    }
  }

  private static void checkPinning(ClassNode tree, int baseId) {
    PINNING.forEach(name -> Bodies.find(tree, name, "()V"));
  }

  private static void writeMap(MethodVisitor method, Native map) {
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
  }

  /** The operands of a native that moves bytes: file, address, number, and offset. */
  private static void loadMoved(MethodVisitor method) {
    method.visitVarInsn(ALOAD, 0);
    method.visitVarInsn(LLOAD, 1);
    method.visitVarInsn(ILOAD, 3);
    method.visitVarInsn(LLOAD, 4);
  }

  private static void call(MethodVisitor method, Native callee) {
    int opcode = callee.isStatic() ? INVOKESTATIC : INVOKEVIRTUAL;
    method.visitMethodInsn(opcode, callee.owner(), callee.name(), callee.descriptor(), false);
  }
}
