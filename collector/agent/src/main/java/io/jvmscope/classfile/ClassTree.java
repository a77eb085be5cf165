package io.jvmscope.classfile;

import org.objectweb.asm.Attribute;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * A class whose methods can be changed and written again.
 *
 * <p>ASM keeps an attribute of a method's code that it does not know among those of the method, and
 * so writes it there. The VM passes over such an attribute in code, but as one of the method it may
 * mean something: a second {@code Code}, or other exceptions. So it is left out. And ASM writes the
 * lower 16 bits of numbers of locals and operands: where there are more, a method is too large
 * here.
 */
public final class ClassTree extends ClassNode {
  /** The JVM's limit of locals and operands of a frame. */
  public static final int MOST_OF_FRAME = 0xFFFF;

  public ClassTree() {
    super(Opcodes.ASM9);
  }

  @Override
  public void accept(ClassVisitor visitor) {
    for (MethodNode method : methods) {
      if (Math.max(method.maxLocals, method.maxStack) > MOST_OF_FRAME) {
        throw new MethodTooLargeException(name, method.name, method.desc, 0);
      }
    }
    super.accept(visitor);
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodNode method = new Body(access, name, descriptor, signature, exceptions);
    methods.add(method);
    return method;
  }

  private static final class Body extends MethodNode {
    private boolean isInCode;

    Body(int access, String name, String descriptor, String signature, String[] exceptions) {
      super(Opcodes.ASM9, access, name, descriptor, signature, exceptions);
    }

    @Override
    public void visitCode() {
      isInCode = true;
    }

    @Override
    public void visitAttribute(Attribute attribute) {
      if (!isInCode) { // those of the method come first
        super.visitAttribute(attribute);
      }
    }
  }
}
