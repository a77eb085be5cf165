package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ARETURN;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.IFEQ;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.LLOAD;
import static org.objectweb.asm.Opcodes.POP;

import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Keeps what the recording adds from the program's sight. */
final class DisguiseEdits {
  private DisguiseEdits() {}

  static List<ClassEdit> of(String className) {
    return switch (className) {
      case "java/lang/Thread" -> List.of(DisguiseEdits::hideFramesOfThreads);
      case "java/lang/StackTraceElement" -> List.of(DisguiseEdits::hideFrames);
      case "java/lang/StackStreamFactory$StackFrameTraverser" ->
          List.of(DisguiseEdits::hideWalkedFrames);
      case "java/lang/management/ThreadInfo" -> List.of(DisguiseEdits::hideFramesOfInfo);
      case "java/lang/ProcessHandleImpl$Info" -> List.of(DisguiseEdits::hideCommand);
      case "sun/management/VMManagementImpl" -> List.of(DisguiseEdits::hideOptions);
      case "java/lang/invoke/MemberName" -> List.of(DisguiseEdits::hideModifiers);
      case "java/lang/invoke/MethodHandles$Lookup" -> List.of(DisguiseEdits::filterHandles);
      case "jdk/internal/reflect/Reflection" -> List.of(DisguiseEdits::hideMembers);
      case "jdk/internal/reflect/MethodAccessorGenerator" ->
          List.of(DisguiseEdits::filterAccessors);
      case "jdk/internal/module/ModuleBootstrap" -> List.of(DisguiseEdits::hideModuleOptions);
      case "jdk/internal/loader/BootLoader" -> List.of(DisguiseEdits::hidePackages);
      case "jdk/internal/loader/ClassLoaders" -> List.of(DisguiseEdits::hideJar);
      default -> List.of();
    };
  }

  /** The boot layer comes from the image, ready, as without the recording's module options. */
  static void hideModuleOptions(ClassNode tree, int baseId) {
    Bodies.find(tree, "initModulePatcher", "()Ljdk/internal/module/ModulePatcher;")
        .instructions
        .insert(Bodies.call(RuntimeClasses.MODULE_OPTIONS, "hide", "()V"));
  }

  /** Reflection must not show the fields added to Thread and Class, nor prefixed natives. */
  static void hideMembers(ClassNode tree, int baseId) {
    filter(tree, "filterFields", "visibleFields", "Field");
    filter(tree, "filterMethods", "visibleMethods", "Method");
  }

  private static void filter(ClassNode tree, String name, String filter, String type) {
    String array = "[Ljava/lang/reflect/" + type + ";";
    String descriptor = "(Ljava/lang/Class;" + array + ")" + array;
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(new VarInsnNode(ALOAD, 1));
    code.add(Bodies.call(RuntimeClasses.DISGUISE, filter, descriptor));
    code.add(new VarInsnNode(ASTORE, 1));
    MethodNode method = Bodies.find(tree, name, descriptor);
    method.instructions.insert(code);
    method.maxStack += 2;
  }

  /** Stack traces must not show the methods that wrap natives. */
  static void hideFrames(ClassNode tree, int baseId) {
    String array = "[Ljava/lang/StackTraceElement;";
    for (MethodNode method : Bodies.named(tree, "of")) {
      if (method.desc.endsWith(array)) {
        InsnList code = new InsnList();
        code.add(frames("visibleFrames", array));
        Bodies.beforeReturns(method, code);
      }
    }
    String element = "Ljava/lang/StackTraceElement;";
    MethodNode one = Bodies.find(tree, "of", "(Ljava/lang/StackFrameInfo;)" + element);
    InsnList code = new InsnList();
    code.add(frames("visibleFrame", element));
    Bodies.beforeReturns(one, code);
  }

  /** The VM makes the stack traces of other threads without that class. */
  static void hideFramesOfThreads(ClassNode tree, int baseId) {
    String arrays = "[[Ljava/lang/StackTraceElement;";
    afterCalls(tree, "dumpThreads", frames("visibleTraces", arrays));
  }

  /** So it makes those of management, in an argument of the method that all constructors call. */
  static void hideFramesOfInfo(ClassNode tree, int baseId) {
    String array = "[Ljava/lang/StackTraceElement;";
    for (MethodNode method : Bodies.named(tree, "initialize")) {
      int local = 1;
      for (Type type : Type.getArgumentTypes(method.desc)) {
        if (type.getDescriptor().equals(array)) {
          InsnList code = new InsnList();
          code.add(new VarInsnNode(ALOAD, local));
          String descriptor = "(" + array + ")" + array;
          code.add(Bodies.call(RuntimeClasses.CONTEXT, "visibleFrames", descriptor));
          code.add(new VarInsnNode(ASTORE, local));
          method.instructions.insert(code);
          method.maxStack = Math.max(method.maxStack, 1);
        }
        local += type.getSize();
      }
    }
  }

  /** A walk along the stack shows one frame for a native. */
  static void hideWalkedFrames(ClassNode tree, int baseId) {
    String frame = "Ljava/lang/StackWalker$StackFrame;";
    MethodNode next = Bodies.find(tree, "nextStackFrame", "()" + frame);
    InsnList code = new InsnList();
    int local = next.maxLocals++;
    code.add(new VarInsnNode(ASTORE, local));
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(new VarInsnNode(ALOAD, local));
    String settle = Calls.PREFIX + "settle";
    String descriptor = "(" + frame + ")" + frame;
    code.add(new MethodInsnNode(INVOKEVIRTUAL, tree.name, settle, descriptor, false));
    Bodies.beforeReturns(next, code);
    next.maxStack = Math.max(next.maxStack, 2);
    MethodNode method = new MethodNode(ACC_SYNTHETIC | ACC_FINAL, settle, descriptor, null, null);
    Object[] locals = {tree.name, "java/lang/StackWalker$StackFrame"};
    InsnList body = method.instructions;
    LabelNode isNative = beginIf(body, "rename", frame);
    body.add(new VarInsnNode(ALOAD, 0));
    body.add(new MethodInsnNode(INVOKEVIRTUAL, tree.name, next.name, next.desc, false));
    body.add(new InsnNode(POP));
    endIf(body, isNative, locals);
    LabelNode isWrapper = beginIf(body, "isWrapper", frame);
    body.add(new VarInsnNode(ALOAD, 0));
    body.add(new MethodInsnNode(INVOKEVIRTUAL, tree.name, next.name, next.desc, false));
    body.add(new VarInsnNode(ALOAD, 1));
    String either = "(" + frame + frame + ")" + frame;
    body.add(Bodies.call(RuntimeClasses.DISGUISED_FRAMES, "nextOr", either));
    body.add(new VarInsnNode(ASTORE, 1));
    endIf(body, isWrapper, locals);
    body.add(new VarInsnNode(ALOAD, 1));
    body.add(new InsnNode(ARETURN));
    method.maxLocals = 2;
    method.maxStack = 2;
    tree.methods.add(method);
  }

  private static LabelNode beginIf(InsnList body, String condition, String frame) {
    LabelNode end = new LabelNode();
    body.add(new VarInsnNode(ALOAD, 1));
    body.add(Bodies.call(RuntimeClasses.DISGUISED_FRAMES, condition, "(" + frame + ")Z"));
    body.add(new JumpInsnNode(IFEQ, end));
    return end;
  }

  private static void endIf(InsnList body, LabelNode end, Object[] locals) {
    body.add(end);
    body.add(new FrameNode(Opcodes.F_NEW, locals.length, locals, 0, new Object[0]));
  }

  /** The VM's options as management tells them. */
  static void hideOptions(ClassNode tree, int baseId) {
    String array = "[Ljava/lang/String;";
    String descriptor = "(" + array + ")" + array;
    afterCalls(
        tree, "getVmArguments0", Bodies.call(RuntimeClasses.CONTEXT, "visibleOptions", descriptor));
  }

  /** Lists of classes without those of the recording. */
  static void hideClasses(ClassNode tree, int baseId) {
    String array = "[Ljava/lang/Class;";
    for (String name : List.of("getAllLoadedClasses", "getInitiatedClasses")) {
      for (MethodNode method : Bodies.named(tree, name)) {
        InsnList code = new InsnList();
        code.add(new VarInsnNode(ALOAD, 0));
        String descriptor = "(" + array + "Ljava/lang/Object;)" + array;
        code.add(Bodies.call(RuntimeClasses.CONTEXT, "visibleClasses", descriptor));
        Bodies.beforeReturns(method, code);
        method.maxStack = Math.max(method.maxStack, 2);
      }
    }
  }

  /** Sizes of objects without what the recording adds to them. */
  static void hideSizes(ClassNode tree, int baseId) {
    MethodNode method = Bodies.find(tree, "getObjectSize", "(Ljava/lang/Object;)J");
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(new VarInsnNode(ALOAD, 1));
    String descriptor = "(JLjava/lang/Object;Ljava/lang/Object;)J";
    code.add(Bodies.call(RuntimeClasses.CONTEXT, "visibleSize", descriptor));
    Bodies.beforeReturns(method, code);
    method.maxStack += 2;
  }

  /** The command line as ProcessHandle tells it. */
  static void hideCommand(ClassNode tree, int baseId) {
    MethodNode method = Bodies.find(tree, "info", "(JJ)Ljava/lang/ProcessHandle$Info;");
    InsnList code = new InsnList();
    code.add(new InsnNode(DUP));
    code.add(new VarInsnNode(LLOAD, 0));
    code.add(Bodies.call(RuntimeClasses.COMMAND_LINE, "disguise", "(Ljava/lang/Object;J)V"));
    Bodies.beforeReturns(method, code);
    method.maxStack += 3;
  }

  /** Method handles tell the modifiers of what they call. */
  static void hideModifiers(ClassNode tree, int baseId) {
    InsnList code = new InsnList();
    code.add(Bodies.call(RuntimeClasses.DISGUISE, "visibleModifiers", "(I)I"));
    Bodies.beforeReturns(Bodies.find(tree, "getModifiers", "()I"), code);
  }

  /** Method handles find natives of Class by name, past the filters of reflection. */
  static void filterHandles(ClassNode tree, int baseId) {
    String descriptor =
        "(BLjava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;)"
            + "Ljava/lang/invoke/MemberName;";
    redirect(Bodies.find(tree, "resolveOrFail", descriptor), 2);
  }

  /** Until JDK 21 reflection calls what is called often by name, from a class that it generates. */
  static void filterAccessors(ClassNode tree, int baseId) {
    for (MethodNode method : Bodies.named(tree, "generateMethod")) {
      redirect(method, 1);
    }
  }

  /** Changes the name that follows a class among the arguments. */
  private static void redirect(MethodNode method, int type) {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, type));
    code.add(new VarInsnNode(ALOAD, type + 1));
    String descriptor = "(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/String;";
    code.add(Bodies.call(RuntimeClasses.DISGUISE, "target", descriptor));
    code.add(new VarInsnNode(ASTORE, type + 1));
    method.instructions.insert(code);
    method.maxStack = Math.max(method.maxStack, 2);
  }

  /** The boot loader has the agent's packages, which are none of the program's. */
  static void hidePackages(ClassNode tree, int baseId) {
    String array = "[Ljava/lang/String;";
    afterCalls(
        tree,
        "getSystemPackageNames",
        Bodies.call(RuntimeClasses.DISGUISE, "visiblePackages", "(" + array + ")" + array));
  }

  /** Nor are the resources of its jar, which is on the boot loader's class path. */
  static void hideJar(ClassNode tree, int baseId) {
    String text = "Ljava/lang/String;";
    boolean isFound = false;
    for (MethodNode method : tree.methods) {
      for (AbstractInsnNode i : method.instructions.toArray()) {
        if (i instanceof LdcInsnNode constant
            && constant.cst.equals("jdk.boot.class.path.append")
            && nextCall(i) != null) {
          method.instructions.insert(
              nextCall(i),
              Bodies.call(RuntimeClasses.AGENT_PATH, "visible", "(" + text + ")" + text));
          isFound = true;
        }
      }
    }
    if (!isFound) {
      throw Bodies.lacks(tree.name, "the boot loader's class path");
    }
  }

  private static AbstractInsnNode nextCall(AbstractInsnNode from) {
    for (AbstractInsnNode i = from; i != null; i = i.getNext()) {
      if (i instanceof MethodInsnNode call && call.name.equals("getSavedProperty")) {
        return i;
      }
    }
    return null;
  }

  private static MethodInsnNode frames(String filter, String type) {
    return Bodies.call(RuntimeClasses.DISGUISED_FRAMES, filter, "(" + type + ")" + type);
  }

  private static void afterCalls(ClassNode tree, String name, MethodInsnNode filter) {
    boolean isFound = false;
    for (MethodNode method : tree.methods) {
      for (AbstractInsnNode i : method.instructions.toArray()) {
        if (i instanceof MethodInsnNode call && call.name.equals(name)) {
          method.instructions.insert(i, filter.clone(Map.of()));
          isFound = true;
        }
      }
    }
    if (!isFound) {
      throw Bodies.lacks(tree.name, "a call of " + name);
    }
  }
}
