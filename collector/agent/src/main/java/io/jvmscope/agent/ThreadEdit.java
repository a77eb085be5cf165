package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ACC_TRANSIENT;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.GETFIELD;
import static org.objectweb.asm.Opcodes.PUTFIELD;

import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** {@code Thread} gets the slot and the root of its tree, and tells of its name and its end. */
final class ThreadEdit {
  private ThreadEdit() {}

  /** The field of the slot, that of the root, and what keeps them right. */
  static void apply(ClassNode tree, int baseId) {
    int access = ACC_PUBLIC | ACC_TRANSIENT | ACC_SYNTHETIC;
    tree.fields.add(new FieldNode(access, Calls.SLOT, "J", null, null));
    tree.fields.add(new FieldNode(access, "jvmscope$root", "J", null, null));
    for (MethodNode method : tree.methods) {
      switch (method.name) {
        case "<init>" -> {
          InsnList code = new InsnList();
          code.add(new VarInsnNode(ALOAD, 0));
          code.add(new VarInsnNode(ALOAD, 0));
          code.add(new FieldInsnNode(GETFIELD, Calls.THREAD, Calls.SLOT, "J"));
          code.add(Bodies.call(RuntimeClasses.THREAD_SLOT, "initial", "(J)J"));
          code.add(new FieldInsnNode(PUTFIELD, Calls.THREAD, Calls.SLOT, "J"));
          method.instructions.insert(code);
          Bodies.beforeReturns(method, tellName());
        }
        case "setName" -> Bodies.beforeReturns(method, tellName());
        // Whatever ended by an exception left its slot: the VM calls these two from the root.
        case "exit", "dispatchUncaughtException" -> {
          InsnList code = new InsnList();
          code.add(new VarInsnNode(ALOAD, 0));
          code.add(Bodies.call(RuntimeClasses.THREAD_SLOT, "unwind", "(Ljava/lang/Thread;)V"));
          method.instructions.insert(code);
        }
        default -> {}
      }
    }
  }

  private static InsnList tellName() {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(Bodies.call(RuntimeClasses.ROOTS, "renamed", "(Ljava/lang/Thread;)V"));
    return code;
  }
}
