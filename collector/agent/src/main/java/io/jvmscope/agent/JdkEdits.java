package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_PROTECTED;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ACC_TRANSIENT;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.GETFIELD;
import static org.objectweb.asm.Opcodes.ICONST_0;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.LLOAD;
import static org.objectweb.asm.Opcodes.LSTORE;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.POP2;
import static org.objectweb.asm.Opcodes.PUTFIELD;
import static org.objectweb.asm.Opcodes.PUTSTATIC;
import static org.objectweb.asm.Opcodes.RETURN;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The changes to the JDK's own classes beyond counting: this is the one place that depends on how
 * java.base is written. Tried on JDK 17 and 25. Each names what it needs; preparing a JDK in which
 * one is missing fails with that name, before any program runs.
 */
final class JdkEdits {
  private static final String CONTEXT = Calls.CONTEXT;
  private static final String THREAD = Calls.THREAD;
  private static final String SLOT = Calls.SLOT;
  private static final String HIDDEN_DEFINER =
      "(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[B"
          + "Ljava/security/ProtectionDomain;ZILjava/lang/Object;)Ljava/lang/Class;";

  private static final Set<String> SEEDING =
      Set.of("<clinit>()V", "<init>()V", "initialSeed()J", "seedUniquifier()J");

  private static final Set<String> CLOCKS = Set.of("nanoTime", "currentTimeMillis");

  /** What seeds are made of, instead of the time. */
  private static final long SALT = 1_234_567_891_234L;

  /** Classes whose deterministic form differs from the other. */
  static final List<String> SEEDED =
      List.of(
          "java/util/ImmutableCollections",
          "java/util/Random",
          "java/util/concurrent/ThreadLocalRandom",
          "jdk/internal/util/random/RandomSupport");

  private JdkEdits() {}

  /** The edits of a class; empty for most. */
  static List<ClassEdit> of(String className, boolean deterministic) {
    List<ClassEdit> edits = new ArrayList<>();
    switch (className) {
      case "java/lang/Thread" -> edits.add(JdkEdits::editThread);
      case "jdk/internal/misc/UnsafeConstants" -> edits.add(JdkEdits::fixConstants);
      case "java/lang/Object" -> edits.add(JdkEdits::addCalls);
      case "java/lang/ThreadGroup" -> edits.add(JdkEdits::assumeNoAssertions);
      case "java/lang/Class" -> edits.add(JdkEdits::editClass);
      case "java/lang/Shutdown" -> edits.add(JdkEdits::tellOfEnd);
      case "jdk/internal/module/ModuleBootstrap" -> edits.add(JdkEdits::hideModuleOptions);
      case "jdk/internal/reflect/Reflection" -> edits.add(JdkEdits::hideMembers);
      case "java/lang/ref/Reference" -> edits.add(JdkEdits::settleRaces);
      case "java/lang/StackTraceElement" -> edits.add(JdkEdits::hideFrames);
      case "sun/instrument/InstrumentationImpl" -> edits.add(JdkEdits::pauseForAgent);
      case "java/util/ImmutableCollections",
          "java/util/Random",
          "java/util/concurrent/ThreadLocalRandom",
          "jdk/internal/util/random/RandomSupport" -> {
        if (deterministic) {
          edits.add(JdkEdits::fixSeed);
        }
      }
      case "sun/nio/ch/FileChannelImpl",
          "sun/nio/ch/FileDispatcherImpl",
          "sun/nio/ch/UnixFileDispatcherImpl" ->
          edits.add(JdkEdits::openNatives);
      default -> {
        if (className.startsWith("java/lang/System$")) {
          edits.add(JdkEdits::seeHiddenClasses);
        }
      }
    }
    return edits;
  }

  // ---- java.lang.Thread: the slot and the root of the thread's tree

  private static void editThread(ClassNode tree, int baseId) {
    int access = ACC_PUBLIC | ACC_TRANSIENT | ACC_SYNTHETIC;
    tree.fields.add(new FieldNode(access, SLOT, "J", null, null));
    tree.fields.add(new FieldNode(access, "jvmscope$root", "J", null, null));
    for (MethodNode method : tree.methods) {
      switch (method.name) {
        case "<init>" -> {
          InsnList code = new InsnList();
          code.add(new VarInsnNode(ALOAD, 0));
          code.add(new VarInsnNode(ALOAD, 0));
          code.add(new FieldInsnNode(GETFIELD, THREAD, SLOT, "J"));
          code.add(call("initialSlot", "(J)J"));
          code.add(new FieldInsnNode(PUTFIELD, THREAD, SLOT, "J"));
          method.instructions.insert(code);
          beforeReturns(method, tellName());
        }
        case "setName" -> beforeReturns(method, tellName());
        // Whatever ended by an exception left its slot: the VM calls these two from the root.
        case "exit", "dispatchUncaughtException" -> {
          InsnList code = new InsnList();
          code.add(new VarInsnNode(ALOAD, 0));
          code.add(call("unwind", "(L" + THREAD + ";)V"));
          method.instructions.insert(code);
        }
        case "getThreads" -> method.access &= ~ACC_PRIVATE;
        default -> {}
      }
    }
  }

  private static InsnList tellName() {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(call("renamed", "(L" + THREAD + ";)V"));
    return code;
  }

  /** Object gets the methods that instrumented code outside java.base calls. */
  private static void addCalls(ClassNode tree, int baseId) {
    for (Calls.Entry entry : Calls.ENTRIES) {
      MethodNode method = inlined(entry.name(), entry.descriptor());
      int local = 0;
      for (Type type : Type.getArgumentTypes(entry.descriptor())) {
        method.instructions.add(new VarInsnNode(type.getOpcode(ILOAD), local));
        local += type.getSize();
      }
      method.instructions.add(Calls.DIRECT.call(entry.name(), entry.descriptor()));
      finish(tree, method, local);
    }
    String threadType = "L" + THREAD + ";";
    MethodNode thread = inlined("thread", "()" + threadType);
    thread.instructions.add(Calls.DIRECT.currentThread());
    finish(tree, thread, 0);
    MethodNode get = inlined("slot", "(" + threadType + ")J");
    get.instructions.add(new VarInsnNode(ALOAD, 0));
    get.instructions.add(Calls.DIRECT.getSlot());
    finish(tree, get, 1);
    MethodNode set = inlined("setSlot", "(" + threadType + "J)V");
    set.instructions.add(new VarInsnNode(ALOAD, 0));
    set.instructions.add(new VarInsnNode(LLOAD, 1));
    set.instructions.add(Calls.DIRECT.setSlot());
    finish(tree, set, 3);
  }

  private static MethodNode inlined(String name, String descriptor) {
    int access = ACC_PUBLIC | ACC_STATIC | ACC_SYNTHETIC;
    MethodNode method = new MethodNode(access, Calls.PREFIX + name, descriptor, null, null);
    method.visitAnnotation("Ljdk/internal/vm/annotation/ForceInline;", true);
    method.visitAnnotation("Ljdk/internal/vm/annotation/Hidden;", true);
    return method;
  }

  private static void finish(ClassNode tree, MethodNode method, int locals) {
    int opcode = Type.getReturnType(method.desc).getOpcode(IRETURN);
    method.instructions.add(new InsnNode(opcode));
    method.maxLocals = locals;
    method.maxStack = Math.max(locals, 2);
    tree.methods.add(method);
  }

  /** A class knows whether it overrides hashCode, and the number that receivers are counted by. */
  private static void editClass(ClassNode tree, int baseId) {
    int access = ACC_PUBLIC | ACC_TRANSIENT | ACC_SYNTHETIC;
    tree.fields.add(new FieldNode(access, "jvmscope$id", "I", null, null));
  }

  /**
   * The VM writes these constants some steps after the first thread runs, but counting needs Unsafe,
   * which keeps copies, from its first method on: so the class has them from the start.
   */
  private static void fixConstants(ClassNode tree, int baseId) {
    for (AbstractInsnNode i : find(tree, "<clinit>", "()V").instructions.toArray()) {
      if (i instanceof FieldInsnNode field && field.getOpcode() == PUTSTATIC) {
        Integer value = Platform.constant(field.name);
        if (value != null) {
          InsnList code = new InsnList();
          code.add(new InsnNode(POP));
          code.add(MethodInstrumenter.push(value));
          find(tree, "<clinit>", "()V").instructions.insertBefore(i, code);
        }
      }
    }
  }

  /** Since 19 the initialiser asks its class whether to assert, before there is a thread to ask. */
  private static void assumeNoAssertions(ClassNode tree, int baseId) {
    for (MethodNode method : tree.methods) {
      for (AbstractInsnNode i : method.instructions.toArray()) {
        if (i instanceof MethodInsnNode call && call.name.equals("desiredAssertionStatus")) {
          method.instructions.insertBefore(i, new InsnNode(POP));
          method.instructions.set(i, new InsnNode(ICONST_0));
        }
      }
    }
  }

  /** The first threads of the VM race with main for the initialisers of classes that both use. */
  private static void settleRaces(ClassNode tree, int baseId) {
    InsnList code = new InsnList();
    code.add(call("settleRaces", "()V"));
    find(tree, "<clinit>", "()V").instructions.insert(code);
  }

  // ---- java.lang.Shutdown: how the VM ends

  private static void tellOfEnd(ClassNode tree, int baseId) {
    InsnList halt = new InsnList();
    halt.add(new VarInsnNode(ILOAD, 0));
    halt.add(call("halting", "(I)V"));
    find(tree, "halt", "(I)V").instructions.insert(halt);
    InsnList shutdown = new InsnList();
    shutdown.add(call("shuttingDown", "()V"));
    find(tree, "shutdown", "()V").instructions.insert(shutdown);
  }

  /** The boot layer comes from the image, ready, as without the recording's module options. */
  private static void hideModuleOptions(ClassNode tree, int baseId) {
    find(tree, "initModulePatcher", "()Ljdk/internal/module/ModulePatcher;")
        .instructions
        .insert(call("hideModuleOptions", "()V"));
  }

  /** Reflection must not show the fields added to Thread and Class, nor prefixed natives. */
  private static void hideMembers(ClassNode tree, int baseId) {
    filter(tree, "filterFields", "visibleFields", "Field");
    filter(tree, "filterMethods", "visibleMethods", "Method");
  }

  private static void filter(ClassNode tree, String name, String filter, String type) {
    String array = "[Ljava/lang/reflect/" + type + ";";
    String descriptor = "(Ljava/lang/Class;" + array + ")" + array;
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(new VarInsnNode(ALOAD, 1));
    code.add(call(filter, descriptor));
    code.add(new VarInsnNode(ASTORE, 1));
    MethodNode method = find(tree, name, descriptor);
    method.instructions.insert(code);
    method.maxStack += 2;
  }

  /** Stack traces must not show the methods that wrap natives. */
  private static void hideFrames(ClassNode tree, int baseId) {
    String array = "[Ljava/lang/StackTraceElement;";
    for (MethodNode method : tree.methods) {
      if (method.name.equals("of") && method.desc.endsWith(array)) {
        InsnList code = new InsnList();
        code.add(call("visibleFrames", "(" + array + ")" + array));
        beforeReturns(method, code);
      }
    }
  }

  /** Hidden classes reach no transformer: the VM's one way to define them leads past the agent. */
  private static void seeHiddenClasses(ClassNode tree, int baseId) {
    for (MethodNode method : tree.methods) {
      if (method.name.equals("defineClass") && method.desc.equals(HIDDEN_DEFINER)) {
        InsnList code = new InsnList();
        for (int k = 1; k <= 4; k++) {
          code.add(new VarInsnNode(ALOAD, k));
        }
        code.add(
            call(
                "hiddenClass",
                "(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[B)[B"));
        code.add(new VarInsnNode(ASTORE, 4));
        method.instructions.insert(code);
        method.maxStack = Math.max(method.maxStack, 4);
      }
    }
  }

  /** What the VM does to start the agent and to ask it about classes is not the program's. */
  private static void pauseForAgent(ClassNode tree, int baseId) {
    for (MethodNode method : tree.methods) {
      if (method.name.equals("transform")) {
        pauseAround(method, 0, "pauseFor", "(Ljava/lang/Object;)J");
      } else if (method.name.equals("loadClassAndCallPremain")) {
        pauseAround(method, 1, "pauseForAgent", "(Ljava/lang/String;)J");
      }
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
    resume.add(call("resume", "(J)V"));
    for (AbstractInsnNode i : method.instructions.toArray()) {
      if (i instanceof org.objectweb.asm.tree.FrameNode frame) {
        List<Object> locals = new ArrayList<>(frame.local);
        int slots = 0;
        for (Object type : locals) {
          boolean isWide =
              type == org.objectweb.asm.Opcodes.LONG || type == org.objectweb.asm.Opcodes.DOUBLE;
          slots += isWide ? 2 : 1;
        }
        for (; slots < local; slots++) {
          locals.add(org.objectweb.asm.Opcodes.TOP);
        }
        locals.add(org.objectweb.asm.Opcodes.LONG);
        frame.local = locals;
      }
    }
    beforeReturns(method, resume);
    InsnList prologue = new InsnList();
    prologue.add(new VarInsnNode(ALOAD, argument));
    prologue.add(call(pause, desc));
    prologue.add(new VarInsnNode(LSTORE, local));
    prologue.add(start);
    method.instructions.insert(prologue);
    method.instructions.add(end);
    List<Object> locals = new ArrayList<>();
    for (int k = 0; k < local; k++) {
      locals.add(org.objectweb.asm.Opcodes.TOP);
    }
    locals.add(org.objectweb.asm.Opcodes.LONG);
    method.instructions.add(
        new org.objectweb.asm.tree.FrameNode(
            org.objectweb.asm.Opcodes.F_NEW,
            locals.size(),
            locals.toArray(),
            1,
            new Object[] {"java/lang/Throwable"}));
    method.instructions.add(new VarInsnNode(LLOAD, local));
    method.instructions.add(call("resume", "(J)V"));
    method.instructions.add(new InsnNode(ATHROW));
    method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, end, null));
  }

  /**
   * Seeds that come from the clock: the salt of immutable sets and maps, and of random numbers that
   * the program did not seed. No two runs would be alike.
   */
  private static void fixSeed(ClassNode tree, int baseId) {
    for (MethodNode method : tree.methods) {
      if (!SEEDING.contains(method.name + method.desc)) {
        continue;
      }
      for (AbstractInsnNode i : method.instructions.toArray()) {
        if (i instanceof MethodInsnNode call && CLOCKS.contains(call.name)) {
          method.instructions.insert(i, new LdcInsnNode(SALT));
          method.instructions.insert(i, new InsnNode(POP2));
        }
      }
    }
  }

  /** The natives that {@code JdkBridge} calls: mapping and writing a file. */
  private static void openNatives(ClassNode tree, int baseId) {
    tree.access |= ACC_PUBLIC;
    for (MethodNode method : tree.methods) {
      if (method.name.equals("map0") || method.name.equals("pwrite0")) {
        method.access = method.access & ~(ACC_PRIVATE | ACC_PROTECTED) | ACC_PUBLIC;
      }
    }
  }

  private static void beforeReturns(MethodNode method, InsnList code) {
    for (AbstractInsnNode i : method.instructions.toArray()) {
      if (i.getOpcode() >= IRETURN && i.getOpcode() <= RETURN) {
        method.instructions.insertBefore(i, copy(code));
      }
    }
  }

  private static InsnList copy(InsnList code) {
    InsnList copy = new InsnList();
    for (AbstractInsnNode i : code.toArray()) {
      copy.add(i.clone(java.util.Map.of()));
    }
    return copy;
  }

  private static MethodInsnNode call(String name, String descriptor) {
    return new MethodInsnNode(INVOKESTATIC, CONTEXT, name, descriptor, false);
  }

  private static MethodNode find(ClassNode tree, String name, String descriptor) {
    for (MethodNode method : tree.methods) {
      if (method.name.equals(name) && method.desc.equals(descriptor)) {
        return method;
      }
    }
    throw missing(tree, "the method " + name + descriptor);
  }

  private static IllegalStateException missing(ClassNode tree, String what) {
    return new IllegalStateException(
        "this JDK was not tried: " + tree.name + " lacks " + what + ", which recording needs");
  }
}
