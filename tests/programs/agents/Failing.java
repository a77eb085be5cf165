package agents;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * An agent of the program that has string builders fail for a while, as those do whose constructor
 * a mock has replaced. Meanwhile the VM loads classes of java.base, and the program makes its first
 * objects of some classes.
 */
public class Failing implements ClassFileTransformer {
  static Instrumentation instrumentation;

  public static void agentmain(String options, Instrumentation given) { instrumentation = given; }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
    if (type == null) {
      return null;
    }
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new Methods(writer), 0);
    return writer.toByteArray();
  }

  private static final class Methods extends ClassVisitor {
    Methods(ClassVisitor to) { super(Opcodes.ASM9, to); }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] thrown) {
      MethodVisitor to = super.visitMethod(access, name, descriptor, signature, thrown);
      return name.equals("append") && (access & Opcodes.ACC_ABSTRACT) == 0 ? new Code(to) : to;
    }
  }

  /** if (Boolean.getBoolean("fails")) throw null; */
  private static final class Code extends MethodVisitor {
    Code(MethodVisitor to) { super(Opcodes.ASM9, to); }

    @Override
    public void visitCode() {
      super.visitCode();
      Label works = new Label();
      super.visitLdcInsn("fails");
      super.visitMethodInsn(
          Opcodes.INVOKESTATIC, "java/lang/Boolean", "getBoolean", "(Ljava/lang/String;)Z", false);
      super.visitJumpInsn(Opcodes.IFEQ, works);
      super.visitInsn(Opcodes.ACONST_NULL);
      super.visitInsn(Opcodes.ATHROW);
      super.visitLabel(works);
      super.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
      super.visitInsn(Opcodes.NOP); // two frames may not be at one place
    }
  }

  static class Base {
    int count = 1;
    final Object of;

    Base(Object of) { this.of = of; }

    synchronized int add(int n) { return count += n; }
  }

  static final class Made extends Base {
    volatile long last;
    static final AtomicLongFieldUpdater<Made> LAST =
        AtomicLongFieldUpdater.newUpdater(Made.class, "last");

    Made(Object of) { super(of); }
  }

  /** The first objects, fields, locks and hash codes of two classes. */
  static long make() {
    Made made = new Made(new Base(null));
    Made.LAST.set(made, 5L);
    int hash = made.hashCode() & 0;
    return hash + made.add(3) + made.last + (made.of == null ? 0 : 1);
  }

  public static void main(String[] names) throws Exception {
    instrumentation.addTransformer(new Failing(), true);
    instrumentation.retransformClasses(Class.forName("java.lang.AbstractStringBuilder"));
    Class<?>[] loaded = new Class<?>[names.length];
    Object unused = Made.LAST; // loads what make() needs
    System.setProperty("fails", "true");
    long made = make();
    for (int k = 0; k < names.length; k++) {
      loaded[k] = Class.forName(names[k], true, null);
    }
    System.clearProperty("fails");
    System.out.println(made);
    for (Class<?> type : loaded) {
      System.out.println(type.getName());
    }
  }
}
