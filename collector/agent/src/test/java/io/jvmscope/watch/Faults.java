package io.jvmscope.watch;

import static org.objectweb.asm.Opcodes.ANEWARRAY;
import static org.objectweb.asm.Opcodes.ASM9;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.NEW;
import static org.objectweb.asm.Opcodes.NEWARRAY;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/**
 * A heap that is full at a chosen moment, for the agent's code of probes: its classes are loaded
 * again with a call before each instruction that may need room, and the n-th of these calls throws.
 */
public final class Faults extends ClassLoader {
  private static final String OURS = Faults.class.getPackageName() + ".";
  private static final String FAULTS = Type.getInternalName(Faults.class);

  /** Methods of the JDK that the agent relies on to need no room, or only what they have. */
  private static final Set<String> NO_ROOM =
      Set.of(
          "<init>",
          "getAcquire",
          "getOpaque",
          "setRelease",
          "compareAndSet",
          "storeStoreFence",
          "acquireFence",
          "getAndSet",
          "remove",
          "removeAll",
          "poll",
          "peek",
          "isEmpty",
          "size",
          "equals",
          "hashCode",
          "hasNext",
          "next",
          "isAlive",
          "nanoTime",
          "min",
          "max",
          "numberOfLeadingZeros",
          "arraycopy",
          "yield",
          "onSpinWait",
          "currentThread",
          "incrementAndGet",
          "decrementAndGet",
          "remaining",
          "position",
          "array",
          "intValue");

  /** Methods of maps that add first, and then may need room to grow. */
  private static final Set<String> GROWS_LAST = Set.of("put", "putIfAbsent");

  private static int left; // calls until one throws; 0 or less: none does

  private Faults() {
    super(Faults.class.getClassLoader());
  }

  /** A class of the agent, or of a test, whose classes of the agent fail. */
  static Class<?> load(Class<?> type) throws ClassNotFoundException {
    return new Faults().loadClass(type.getName());
  }

  /** Has the n-th allocation from now on throw; those after it do not. */
  public static void arm(int n) {
    left = n;
  }

  /** Has no allocation throw; returns whether one has since {@link #arm}. */
  public static boolean disarm() {
    boolean hasThrown = left <= 0;
    left = 0;
    return hasThrown;
  }

  /** Before an allocation. */
  public static void allocate() {
    if (left > 0 && --left == 0) {
      throw new OutOfMemoryError("as the test asks");
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS) || name.equals(Faults.class.getName())) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      ClassReader reader = new ClassReader(in.readAllBytes());
      ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
      boolean isTest = name.contains("Test");
      reader.accept(isTest ? writer : new Failing(writer), 0);
      byte[] bytes = writer.toByteArray();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private static final class Failing extends ClassVisitor {
    Failing(ClassVisitor next) {
      super(ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      return name.equals("<clinit>") ? next : new Allocations(next);
    }
  }

  private static final class Allocations extends MethodVisitor {
    Allocations(MethodVisitor next) {
      super(ASM9, next);
    }

    private void mayFail() {
      super.visitMethodInsn(INVOKESTATIC, FAULTS, "allocate", "()V", false);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      if (opcode == NEW || opcode == ANEWARRAY) {
        mayFail();
      }
      super.visitTypeInsn(opcode, type);
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      if (opcode == NEWARRAY) {
        mayFail();
      }
      super.visitIntInsn(opcode, operand);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      mayFail();
      super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      boolean isOurs = owner.replace('/', '.').startsWith(OURS);
      boolean isRead = name.equals("get") && !owner.equals("java/lang/ThreadLocal");
      boolean isMove = owner.equals("java/nio/ByteBuffer") && !name.startsWith("allocate");
      if (!isOurs && !isRead && !isMove && !NO_ROOM.contains(name)) {
        mayFail();
      }
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      if (!isOurs && !isMove && GROWS_LAST.contains(name)) {
        mayFail();
      }
    }
  }
}
