package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.GETFIELD;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.PUTFIELD;

import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * How instrumented code names what it calls. Inside java.base: {@code CallingContext} itself. Outside,
 * static methods of {@code Object} that lead there: a class of another loader resolves the names of
 * classes by asking its loader, in Java, where the program could see it; but {@code Object} every
 * class has resolved as its superclass. They are hidden from reflection.
 */
enum Calls {
  DIRECT,
  THROUGH_OBJECT;

  static final String PREFIX = "jvmscope$";
  static final String CONTEXT = "java/lang/CallingContext";
  static final String OBJECT = "java/lang/Object";
  static final String THREAD = "java/lang/Thread";
  static final String SLOT = "jvmscope$slot";

  /** A method of {@code CallingContext} that code outside java.base needs. */
  record Entry(String name, String descriptor) {}

  private static final String T = "Ljava/lang/Thread;";
  private static final String O = "Ljava/lang/Object;";

  /** All methods that {@code Object} gets. */
  static final List<Entry> ENTRIES =
      List.of(
          new Entry("enter", "(" + T + "JII)J"),
          new Entry("enterNative", "(" + T + "JI)J"),
          new Entry("count", "(JI)V"),
          new Entry("hashed", "(" + O + "I" + T + "JI)I"),
          new Entry("cloned", "(" + O + O + T + "JI)" + O),
          new Entry("overridesHash", "(" + O + ")V"),
          new Entry("overridesClone", "(" + O + ")V"),
          new Entry("receive", "(" + O + "JI)V"),
          new Entry("keepOrder", "(" + T + "JI)V"),
          new Entry("succeed", "(" + O + "J)V"),
          new Entry("branch", "(JII)V"),
          new Entry("start", "(J)J"));

  AbstractInsnNode currentThread() {
    return this == DIRECT
        ? new MethodInsnNode(INVOKESTATIC, THREAD, "currentThread", "()" + T, false)
        : new MethodInsnNode(INVOKESTATIC, OBJECT, PREFIX + "thread", "()" + T, false);
  }

  /** Takes a thread, leaves its slot. */
  AbstractInsnNode getSlot() {
    return this == DIRECT
        ? new FieldInsnNode(GETFIELD, THREAD, SLOT, "J")
        : new MethodInsnNode(INVOKESTATIC, OBJECT, PREFIX + "slot", "(" + T + ")J", false);
  }

  /** Takes a thread and a slot. */
  AbstractInsnNode setSlot() {
    return this == DIRECT
        ? new FieldInsnNode(PUTFIELD, THREAD, SLOT, "J")
        : new MethodInsnNode(INVOKESTATIC, OBJECT, PREFIX + "setSlot", "(" + T + "J)V", false);
  }

  AbstractInsnNode call(String name, String descriptor) {
    return this == DIRECT
        ? new MethodInsnNode(INVOKESTATIC, CONTEXT, name, descriptor, false)
        : new MethodInsnNode(INVOKESTATIC, OBJECT, PREFIX + name, descriptor, false);
  }
}
