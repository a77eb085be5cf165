package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ACONST_NULL;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ARETURN;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.IFEQ;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.LLOAD;
import static org.objectweb.asm.Opcodes.LSTORE;
import static org.objectweb.asm.Opcodes.RETURN;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Leads to the agent what it must see, and pauses recording while the VM works for it. */
final class AgentEdits {
  private static final String HIDDEN_DEFINER =
      "(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[B"
          + "Ljava/security/ProtectionDomain;ZILjava/lang/Object;)Ljava/lang/Class;";

  private static final String TRANSFORM =
      "(Ljava/lang/Module;Ljava/lang/ClassLoader;Ljava/lang/String;Ljava/lang/Class;"
          + "Ljava/security/ProtectionDomain;[BZ)[B";

  /** The argument of it that is the name of the class. */
  private static final int CLASS_NAME = 3;

  /** The argument of it that is the class file. */
  private static final int BUFFER = 6;

  /** What the class implements through which java.lang.invoke defines hidden classes. */
  static final String ACCESS = "jdk/internal/access/JavaLangAccess";

  /** Natives by which the VM loads a class in the midst of a thread's own code. */
  private static final Set<String> LOADING =
      Set.of("defineClass0", "defineClass1", "defineClass2", "findBootstrapClass");

  private AgentEdits() {}

  static List<ClassEdit> of(String className) {
    return switch (className) {
      case "java/lang/ClassLoader" -> List.of(AgentEdits::acceptPath, AgentEdits::reserveStack);
      case "jdk/internal/loader/ClassLoaders$AppClassLoader" ->
          List.of(AgentEdits::pauseForClassPath);
      case "sun/instrument/InstrumentationImpl" ->
          List.of(
              AgentEdits::loadFromBoot,
              AgentEdits::followChanges,
              AgentEdits::askAboutNoOwnClass,
              AgentEdits::pauseForAgent,
              DisguiseEdits::hideClasses,
              DisguiseEdits::hideSizes);
      case "jdk/internal/module/Modules" -> List.of(AgentEdits::keepReads);
      case "jdk/internal/event/ThrowableTracer", "jdk/jfr/internal/instrument/ThrowableTracer" ->
          List.of(AgentEdits::traceNoOwnThrowables);
      default ->
          className.startsWith("java/lang/System$")
              ? List.of(AgentEdits::seeHiddenClasses)
              : List.of();
    };
  }

  /** There is room on the stack for the agent, or the thread's stack overflows before the class. */
  static void reserveStack(ClassNode tree, int baseId) {
    boolean isFound = false;
    for (MethodNode method : tree.methods) {
      if (callsAny(method, LOADING)) {
        method.instructions.insert(Bodies.call(RuntimeClasses.THREAD_STACK, "reserve", "()V"));
        isFound = true;
      }
    }
    if (!isFound) {
      throw Bodies.lacks(tree.name, "a call of " + new TreeSet<>(LOADING));
    }
  }

  private static boolean callsAny(MethodNode method, Set<String> names) {
    for (AbstractInsnNode i : method.instructions.toArray()) {
      if (i instanceof MethodInsnNode call
          && call.owner.equals("java/lang/ClassLoader")
          && names.contains(call.name)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Hidden classes reach no transformer: the VM's one way to define them leads past the agent. Of
   * the classes nested in System it is in the one that gives java.lang.invoke access.
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
    code.add(new VarInsnNode(ILOAD, 7));
    code.add(
        Bodies.call(
            RuntimeClasses.AGENT_PORT,
            "hiddenClass",
            "(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[BI)[B"));
    code.add(new VarInsnNode(ASTORE, 4));
    method.instructions.insert(code);
    method.maxStack = Math.max(method.maxStack + 1, 5);
    InsnList defined = new InsnList();
    defined.add(new InsnNode(DUP));
    defined.add(new VarInsnNode(ILOAD, 7));
    defined.add(Bodies.call(RuntimeClasses.AGENT_PORT, "definedHidden", "(Ljava/lang/Class;I)V"));
    Bodies.beforeReturns(method, defined);
    reserveStack(tree, baseId);
  }

  /**
   * Other agents that are asked after this one get the class files of the program, and what they
   * make of them counts.
   */
  static void followChanges(ClassNode tree, int baseId) {
    MethodNode transform = Bodies.find(tree, "transform", TRANSFORM);
    InsnList answered = new InsnList();
    for (int k : new int[] {0, 1, 2, 3, 4, BUFFER}) {
      answered.add(new VarInsnNode(ALOAD, k));
    }
    answered.add(
        Bodies.call(
            RuntimeClasses.CONTEXT,
            "changed",
            "([BLjava/lang/Object;Ljava/lang/Module;Ljava/lang/ClassLoader;Ljava/lang/String;"
                + "Ljava/lang/Class;[B)[B"));
    Bodies.beforeReturns(transform, answered);
    InsnList asked = new InsnList();
    for (int k : new int[] {BUFFER, 0, CLASS_NAME}) {
      asked.add(new VarInsnNode(ALOAD, k));
    }
    asked.add(
        Bodies.call(RuntimeClasses.CONTEXT, "shown", "([BLjava/lang/Object;Ljava/lang/String;)[B"));
    asked.add(new VarInsnNode(ASTORE, BUFFER));
    transform.instructions.insert(asked);
    transform.maxStack = Math.max(transform.maxStack + 6, 7);
  }

  /**
   * No agent is asked about the recording's classes. It would see them, and what it does could need
   * the very class that the VM is loading, as a class of the JDK that uses it would not.
   */
  static void askAboutNoOwnClass(ClassNode tree, int baseId) {
    MethodNode transform = Bodies.find(tree, "transform", TRANSFORM);
    LabelNode others = new LabelNode();
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, CLASS_NAME));
    code.add(Bodies.call(RuntimeClasses.CONTEXT, "isOwnClass", "(Ljava/lang/String;)Z"));
    code.add(new JumpInsnNode(IFEQ, others));
    code.add(new InsnNode(ACONST_NULL));
    code.add(new InsnNode(ARETURN));
    code.add(others);
    Object[] locals = {
      tree.name,
      "java/lang/Module",
      "java/lang/ClassLoader",
      "java/lang/String",
      "java/lang/Class",
      "java/security/ProtectionDomain",
      "[B",
      Opcodes.INTEGER
    };
    code.add(new FrameNode(Opcodes.F_NEW, locals.length, locals, 0, new Object[0]));
    transform.instructions.insert(code);
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

  /**
   * The program's flight recordings have no event of an exception that the recording's own work
   * throws and catches. Where that is done in the midst of another event, one would spoil the file.
   */
  static void traceNoOwnThrowables(ClassNode tree, int baseId) {
    for (String name : List.of("traceError", "traceThrowable")) {
      for (MethodNode method : Bodies.named(tree, name)) {
        LabelNode program = new LabelNode();
        InsnList code = new InsnList();
        code.add(Bodies.call("java/lang/CallingContext", "isOwnWork", "()Z"));
        code.add(new JumpInsnNode(IFEQ, program));
        code.add(new InsnNode(RETURN));
        code.add(program);
        Type[] types = Type.getArgumentTypes(method.desc);
        Object[] locals = new Object[types.length];
        for (int k = 0; k < types.length; k++) {
          locals[k] = types[k].getInternalName();
        }
        code.add(new FrameNode(Opcodes.F_NEW, locals.length, locals, 0, new Object[0]));
        method.instructions.insert(code);
        method.maxStack = Math.max(method.maxStack, 1);
      }
    }
  }

  /** Modules read what they would if nobody had changed their classes. */
  static void keepReads(ClassNode tree, int baseId) {
    MethodNode method = Bodies.find(tree, "transformedByAgent", "(Ljava/lang/Module;)V");
    LabelNode others = new LabelNode();
    InsnList code = new InsnList();
    code.add(Bodies.call(RuntimeClasses.MODULE_READS, "areUnwanted", "()Z"));
    code.add(new JumpInsnNode(IFEQ, others));
    code.add(new InsnNode(RETURN));
    code.add(others);
    Object[] locals = {"java/lang/Module"};
    code.add(new FrameNode(Opcodes.F_NEW, locals.length, locals, 0, new Object[0]));
    method.instructions.insert(code);
  }

  /**
   * The agent's jar comes to the class path: a jar of another agent does after this one started.
   */
  static void pauseForClassPath(ClassNode tree, int baseId) {
    MethodNode append =
        Bodies.find(tree, "appendToClassPathForInstrumentation", "(Ljava/lang/String;)V");
    pauseAround(append, 1, "pauseFor", "(Ljava/lang/Object;)J");
    LabelNode others = new LabelNode();
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, 1));
    code.add(Bodies.call(RuntimeClasses.AGENT_PATH, "isOwn", "(Ljava/lang/String;)Z"));
    code.add(new JumpInsnNode(IFEQ, others));
    code.add(new InsnNode(RETURN));
    code.add(others);
    Object[] locals = {tree.name, "java/lang/String"};
    code.add(new FrameNode(Opcodes.F_NEW, locals.length, locals, 0, new Object[0]));
    append.instructions.insert(code);
  }

  /**
   * The VM gives an agent's jar to the system class loader by a method that one of a program's own
   * need not have: it would refuse to start. Every loader has it now, for this agent only.
   */
  static void acceptPath(ClassNode tree, int baseId) {
    MethodNode append =
        new MethodNode(
            ACC_PRIVATE | ACC_SYNTHETIC,
            "appendToClassPathForInstrumentation",
            "(Ljava/lang/String;)V",
            null,
            null);
    append.instructions.add(new VarInsnNode(ALOAD, 1));
    append.instructions.add(
        Bodies.call(RuntimeClasses.AGENT_PATH, "append", "(Ljava/lang/String;)V"));
    append.instructions.add(new InsnNode(RETURN));
    append.maxLocals = 2;
    append.maxStack = 1;
    tree.methods.add(append);
  }

  /** The agent's class is loaded without asking a class loader of the program. */
  static void loadFromBoot(ClassNode tree, int baseId) {
    boolean isFound = false;
    for (MethodNode method : Bodies.named(tree, "loadClassAndStartAgent")) {
      for (AbstractInsnNode i : method.instructions.toArray()) {
        if (i instanceof MethodInsnNode call && call.name.equals("loadClass")) {
          method.instructions.set(
              i,
              Bodies.call(
                  RuntimeClasses.CONTEXT,
                  "loadAgent",
                  "(Ljava/lang/ClassLoader;Ljava/lang/String;)Ljava/lang/Class;"));
          isFound = true;
        }
      }
    }
    if (!isFound) {
      throw Bodies.lacks(tree.name, "a call of loadClass");
    }
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
          boolean isWide = type == Opcodes.LONG || type == Opcodes.DOUBLE;
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
