package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.LLOAD;
import static org.objectweb.asm.Opcodes.LSTORE;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Leads to the agent what it must see, and pauses recording while the VM works for it. */
final class AgentEdits {
  private static final String HIDDEN_DEFINER =
      "(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[B"
          + "Ljava/security/ProtectionDomain;ZILjava/lang/Object;)Ljava/lang/Class;";

  /** What the class implements through which java.lang.invoke defines hidden classes. */
  static final String ACCESS = "jdk/internal/access/JavaLangAccess";

  private AgentEdits() {}

  /**
   * Hidden classes reach no transformer: the VM's one way to define them leads past the agent. Of the
   * classes nested in System it is in the one that gives java.lang.invoke access.
   */
  static void seeHiddenClasses(ClassNode tree, int baseId) {
    if (!tree.interfaces.contains(ACCESS)) {
      return;
    }
    MethodNode method = Bodies.find(tree, "defineClass", HIDDEN_DEFINER);
    InsnList code = new InsnList();
    for (int k = 1; k <= 4; k++) {
      code.add(new VarInsnNode(ALOAD, k));
    }
    code.add(
        Bodies.call(
            RuntimeClasses.AGENT_PORT,
            "hiddenClass",
            "(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[B)[B"));
    code.add(new VarInsnNode(ASTORE, 4));
    method.instructions.insert(code);
    method.maxStack = Math.max(method.maxStack, 4);
  }

  /** What the VM does to start the agent and to ask it about classes is not the program's. */
  static void pauseForAgent(ClassNode tree, int baseId) {
    for (MethodNode method : Bodies.named(tree, "transform")) {
      pauseAround(method, 0, "pauseFor", "(Ljava/lang/Object;)J");
    }
    for (MethodNode method : Bodies.named(tree, "loadClassAndCallPremain")) {
      pauseAround(method, 1, "pauseForAgent", "(Ljava/lang/String;)J");
    }
  }

  /** The agent's jar comes to the class path: a jar of another agent does after this one started. */
  static void pauseForClassPath(ClassNode tree, int baseId) {
    MethodNode append =
        Bodies.find(tree, "appendToClassPathForInstrumentation", "(Ljava/lang/String;)V");
    pauseAround(append, 1, "pauseFor", "(Ljava/lang/Object;)J");
  }

  private static void pauseAround(MethodNode method, int argument, String pause, String desc) {
    int local = method.maxLocals;
    method.maxLocals += 2;
    method.maxStack += 3;
    LabelNode start = new LabelNode();
    LabelNode end = new LabelNode();
    InsnList resume = new InsnList();
    resume.add(new VarInsnNode(LLOAD, local));
    resume.add(Bodies.call(RuntimeClasses.CONTEXT, "resume", "(J)V"));
    addToFrames(method, local);
    Bodies.beforeReturns(method, resume);
    InsnList prologue = new InsnList();
    prologue.add(new VarInsnNode(ALOAD, argument));
    prologue.add(Bodies.call(RuntimeClasses.CONTEXT, pause, desc));
    prologue.add(new VarInsnNode(LSTORE, local));
    prologue.add(start);
    method.instructions.insert(prologue);
    method.instructions.add(end);
    List<Object> locals = new ArrayList<>();
    for (int k = 0; k < local; k++) {
      locals.add(Opcodes.TOP);
    }
    locals.add(Opcodes.LONG);
    method.instructions.add(
        new FrameNode(
            Opcodes.F_NEW,
            locals.size(),
            locals.toArray(),
            1,
            new Object[] {"java/lang/Throwable"}));
    method.instructions.add(new VarInsnNode(LLOAD, local));
    method.instructions.add(Bodies.call(RuntimeClasses.CONTEXT, "resume", "(J)V"));
    method.instructions.add(new InsnNode(ATHROW));
    method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, end, null));
  }

  /** Every frame gets the local that keeps the slot. */
  private static void addToFrames(MethodNode method, int local) {
    for (AbstractInsnNode i : method.instructions.toArray()) {
      if (i instanceof FrameNode frame) {
        List<Object> locals = new ArrayList<>(frame.local);
        int slots = 0;
        for (Object type : locals) {
          boolean isWide =
              type == Opcodes.LONG || type == Opcodes.DOUBLE;
          slots += isWide ? 2 : 1;
        }
        for (; slots < local; slots++) {
          locals.add(Opcodes.TOP);
        }
        locals.add(Opcodes.LONG);
        frame.local = locals;
      }
    }
  }
}
