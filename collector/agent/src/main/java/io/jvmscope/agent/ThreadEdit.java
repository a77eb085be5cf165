package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ACC_TRANSIENT;
import static org.objectweb.asm.Opcodes.ALOAD;

import java.util.List;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** {@code Thread} gets the slot and the root of its tree, and tells of its name and its end. */
final class ThreadEdit {
  /** What the VM calls when all frames are gone; those that an exception ended left their slot. */
  private static final List<String> CALLED_FROM_THE_ROOT =
      List.of("exit", "dispatchUncaughtException");

  private ThreadEdit() {}

  /** The field of the slot, that of the root, and what keeps them right. */
  static void apply(ClassNode tree, int baseId) {
    int access = ACC_PUBLIC | ACC_TRANSIENT | ACC_SYNTHETIC;
    tree.fields.add(new FieldNode(access, Calls.SLOT, "J", null, null));
    tree.fields.add(new FieldNode(access, "jvmscope$root", "J", null, null));
    for (MethodNode method : Bodies.named(tree, "<init>")) {
      method.instructions.insert(Bodies.call(RuntimeClasses.THREAD_SLOT, "beginCurrent", "()V"));
      Bodies.beforeReturns(method, tellBorn());
    }
    for (MethodNode method : Bodies.named(tree, "setName")) {
      Bodies.beforeReturns(method, tellName());
    }
    for (String name : CALLED_FROM_THE_ROOT) {
      for (MethodNode method : Bodies.named(tree, name)) {
        InsnList code = new InsnList();
        code.add(new VarInsnNode(ALOAD, 0));
        code.add(Bodies.call(RuntimeClasses.THREAD_SLOT, "unwind", "(Ljava/lang/Thread;)V"));
        method.instructions.insert(code);
      }
    }
  }

  /** Not before the constructor of Object was called: until then no field may be read. */
  private static InsnList tellBorn() {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(Bodies.call(RuntimeClasses.THREAD_SLOT, "begin", "(Ljava/lang/Thread;)V"));
    code.add(tellName());
    return code;
  }

  private static InsnList tellName() {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(Bodies.call(RuntimeClasses.ROOTS, "renamed", "(Ljava/lang/Thread;)V"));
    return code;
  }
}
