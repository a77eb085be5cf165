package io.jvmscope.classfile;

import org.objectweb.asm.Attribute;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * A class whose methods can be changed and written again.
 *
 * <p>ASM keeps an attribute of a method's code that it does not know among those of the method, and
 * so writes it there. The VM passes over such an attribute in code, but as one of the method it may
 * mean something: a second {@code Code}, or other exceptions. So it is left out.
 */
public final class ClassTree extends ClassNode {
  public ClassTree() {
    super(Opcodes.ASM9);
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
