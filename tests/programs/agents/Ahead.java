package agents;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.concurrent.FutureTask;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * An agent that has all methods of classes of the JDK call another method before they do anything,
 * as mocks do. It comes before the program, or with it. The VM has threads that it attaches run
 * their own constructors: at the end of main, one that destroys the VM.
 */
public class Ahead implements ClassFileTransformer {
  static Instrumentation instrumentation;
  static int changed;

  public static void agentmain(String options, Instrumentation given) { instrumentation = given; }

  public static void premain(String names, Instrumentation given) throws Exception {
    agentmain(names, given);
    change(names.split("[+]"));
  }

  static void change(String... names) throws Exception {
    instrumentation.addTransformer(new Ahead(), true);
    for (String name : names) {
      instrumentation.retransformClasses(Class.forName(name));
    }
    System.out.println("changed " + changed);
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
    if (type == null) {
      return null;
    }
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new Methods(writer), 0);
    changed++;
    return writer.toByteArray();
  }

  private static final class Methods extends ClassVisitor {
    Methods(ClassVisitor to) { super(Opcodes.ASM9, to); }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] thrown) {
      MethodVisitor to = super.visitMethod(access, name, descriptor, signature, thrown);
      return (access & (Opcodes.ACC_NATIVE | Opcodes.ACC_ABSTRACT)) != 0 ? to : new Code(to);
    }
  }

  private static final class Code extends MethodVisitor {
    Code(MethodVisitor to) { super(Opcodes.ASM9, to); }

    @Override
    public void visitCode() {
      super.visitCode();
      super.visitInsn(Opcodes.ICONST_0);
      super.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Math", "abs", "(I)I", false);
      super.visitInsn(Opcodes.POP);
    }
  }

  static int work() { return 1; }

  public static void main(String[] names) throws Exception {
    if (names.length > 0) {
      change(names);
    }
    FutureTask<Integer> task = new FutureTask<>(Ahead::work);
    new Thread(task, "working").start();
    Thread failing = new Thread(() -> { throw new IllegalStateException("fails"); }, "failing");
    failing.setUncaughtExceptionHandler((thread, e) -> System.out.println(e + " " + work()));
    failing.start();
    failing.join();
    System.out.println(task.get());
  }
}
