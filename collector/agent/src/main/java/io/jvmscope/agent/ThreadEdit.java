package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ACC_TRANSIENT;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.LLOAD;
import static org.objectweb.asm.Opcodes.LSTORE;
import static org.objectweb.asm.Opcodes.RETURN;

import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/** {@code Thread} gets the slot and the root of its tree, and tells of its name and its end. */
final class ThreadEdit {
  /** What the VM calls when all frames are gone; those that an exception ended left their slot. */
  private static final List<String> CALLED_FROM_THE_ROOT =
      List.of("exit", "dispatchUncaughtException");

  /** What the carrier of a virtual thread calls when that has run; JDK 25 and 21. */
  private static final List<String> AFTER_THE_END = List.of("afterDone", "afterTerminate");

  private static final String START = "start0";

  private ThreadEdit() {}

  /** The field of the slot, that of the root, and what keeps them right. */
  static void apply(ClassNode tree, int baseId) {
    int access = ACC_PUBLIC | ACC_TRANSIENT | ACC_SYNTHETIC;
    for (String name :
        List.of(Calls.SLOT, "jvmscope$root", "jvmscope$frames", "jvmscope$standIn")) {
      tree.fields.add(Bodies.lastField(access, name, "J"));
    }
    tree.fields.add(Bodies.lastField(access, "jvmscope$number", "I"));
    tree.fields.add(Bodies.lastField(access, "jvmscope$paused", "I"));
    beginFirst(tree, baseId);
    for (MethodNode method : Bodies.named(tree, "<init>")) {
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
    for (MethodNode method : Bodies.named(tree, "exit")) {
      Bodies.beforeReturns(method, tellEnd());
    }
  }

  /** Nothing runs in a constructor before the current thread has a slot. */
  static void beginFirst(ClassNode tree, int baseId) {
    for (MethodNode method : Bodies.named(tree, "<init>")) {
      method.instructions.insert(Bodies.call(RuntimeClasses.THREAD_SLOT, "beginCurrent", "()V"));
    }
  }

  /** A virtual thread has run to its end. */
  static void tellVirtualEnd(ClassNode tree, int baseId) {
    boolean isFound = false;
    for (MethodNode method : tree.methods) {
      if (AFTER_THE_END.contains(method.name)) {
        method.instructions.insert(tellEnd());
        isFound = true;
      }
    }
    if (!isFound) {
      throw Bodies.lacks(tree.name, "one of the methods " + AFTER_THE_END);
    }
  }

  private static InsnList tellEnd() {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(Bodies.call(RuntimeClasses.THREAD_SLOT, "end", "(Ljava/lang/Thread;)V"));
    return code;
  }

  /** The VM is asked for a larger stack, of the thread that {@code start0} starts. */
  static void widenStack(ClassNode tree, int baseId) {
    boolean isFound = false;
    for (MethodNode method : tree.methods) {
      for (AbstractInsnNode i : method.instructions.toArray()) {
        if (i instanceof MethodInsnNode call && call.name.equals(START)) {
          call.name = Calls.PREFIX + START;
          isFound = true;
        }
      }
    }
    if (!isFound) {
      throw Bodies.lacks(tree.name, "a call of " + START);
    }
    tree.methods.add(starting(tree.name));
  }

  private static MethodNode starting(String owner) {
    int access = ACC_PRIVATE | ACC_SYNTHETIC;
    MethodNode method = new MethodNode(access, Calls.PREFIX + START, "()V", null, null);
    method.visitAnnotation("Ljdk/internal/vm/annotation/Hidden;", true);
    LabelNode start = new LabelNode();
    LabelNode end = new LabelNode();
    InsnList code = method.instructions;
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(Bodies.call(RuntimeClasses.THREAD_STACK, "widen", "(Ljava/lang/Thread;)J"));
    code.add(new VarInsnNode(LSTORE, 1));
    code.add(start);
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(new MethodInsnNode(INVOKEVIRTUAL, owner, START, "()V", false));
    code.add(end);
    addRestore(code);
    code.add(new InsnNode(RETURN));
    LabelNode handler = new LabelNode();
    code.add(handler);
    Object[] locals = {owner, Opcodes.LONG};
    Object[] thrown = {"java/lang/Throwable"};
    code.add(new FrameNode(Opcodes.F_NEW, locals.length, locals, 1, thrown));
    addRestore(code);
    code.add(new InsnNode(ATHROW));
    method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, handler, null));
    method.maxLocals = 3;
    method.maxStack = 4;
    return method;
  }

  private static void addRestore(InsnList code) {
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(new VarInsnNode(LLOAD, 1));
    code.add(Bodies.call(RuntimeClasses.THREAD_STACK, "restore", "(Ljava/lang/Thread;J)V"));
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
