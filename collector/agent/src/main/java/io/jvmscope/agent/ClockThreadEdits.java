package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ACC_TRANSIENT;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.GETFIELD;
import static org.objectweb.asm.Opcodes.I2L;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.LADD;
import static org.objectweb.asm.Opcodes.LCONST_0;
import static org.objectweb.asm.Opcodes.LLOAD;
import static org.objectweb.asm.Opcodes.PUTFIELD;
import static org.objectweb.asm.Opcodes.RETURN;

import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/** What the classes of threads do for logical clocks: their beginnings, ends, and interrupts. */
final class ClockThreadEdits {
  private static final String OF_THREAD = "(Ljava/lang/Thread;)V";

  /** Of {@code Thread}, beside the clock: see {@code LogicalClock} and {@code ClockWaits}. */
  private static final List<String> LONGS =
      List.of("kept", "interrupt", "signal", "begun", "timeout", "vain");

  private ClockThreadEdits() {}

  /** The edits of a class of threads, or of {@code Object}; empty for all others. */
  static List<ClassEdit> of(String className) {
    return switch (className) {
      case "java/lang/Thread" -> List.of(ClockThreadEdits::editThread);
      case "java/lang/VirtualThread" -> List.of(ClockThreadEdits::editVirtualThread);
      case "jdk/internal/misc/CarrierThread" -> List.of(ClockThreadEdits::keepReal);
      case "java/lang/Object" -> List.of(ClockThreadEdits::addStep, ClockThreadEdits::editWait);
      case "java/lang/invoke/MethodHandles$Lookup" -> List.of(ClockThreadEdits::leadHandles);
      case "jdk/internal/reflect/ReflectionFactory" -> List.of(ClockThreadEdits::leadReflection);
      default -> List.of();
    };
  }

  private static void editThread(ClassNode tree, int baseId) {
    addField(tree, Calls.CLOCK, "J");
    for (String name : LONGS) {
      addField(tree, Calls.PREFIX + name, "J");
    }
    addField(tree, Calls.PREFIX + "signals", "I");
    addField(tree, Calls.PREFIX + "seen", "I");
    addField(tree, Calls.PREFIX + "monitor", "Ljava/lang/Object;");
    addField(tree, Calls.PREFIX + "next", "Ljava/lang/Thread;");
    editAnyThread(tree);
    for (MethodNode method : Bodies.named(tree, "join")) {
      Bodies.beforeReturns(method, tell("joined"));
      method.maxStack += 1;
    }
  }

  private static void addField(ClassNode tree, String name, String descriptor) {
    int access = ACC_PUBLIC | ACC_TRANSIENT | ACC_SYNTHETIC;
    tree.fields.add(new FieldNode(access, name, descriptor, null, null));
  }

  private static void editAnyThread(ClassNode tree) {
    for (MethodNode method : Bodies.named(tree, "start")) {
      method.instructions.insert(tell("starting"));
      method.maxStack += 1;
    }
    for (MethodNode method : Bodies.named(tree, "interrupt")) {
      method.instructions.insert(tell("interrupting"));
      method.maxStack += 1;
    }
  }

  /** A virtual thread parks by leaving its carrier. */
  private static void editVirtualThread(ClassNode tree, int baseId) {
    editAnyThread(tree);
    editPark(Bodies.find(tree, "park", "()V"), new InsnNode(LCONST_0));
    editPark(Bodies.find(tree, "parkNanos", "(J)V"), new VarInsnNode(LLOAD, 1));
    for (MethodNode method : Bodies.named(tree, "unpark")) {
      InsnList code = new InsnList();
      code.add(new VarInsnNode(ALOAD, 0));
      code.add(Bodies.call(RuntimeClasses.CLOCK_WAITS, "unparking", "(Ljava/lang/Object;)V"));
      method.instructions.insert(code);
      method.maxStack += 1;
    }
  }

  private static void editPark(MethodNode method, AbstractInsnNode timeout) {
    InsnList begin = new InsnList();
    begin.add(new VarInsnNode(ALOAD, 0));
    begin.add(Bodies.call(RuntimeClasses.CLOCK_WAITS, "parking", OF_THREAD));
    InsnList end = new InsnList();
    end.add(new VarInsnNode(ALOAD, 0));
    end.add(timeout);
    end.add(Bodies.call(RuntimeClasses.CLOCK_WAITS, "parked", "(Ljava/lang/Thread;J)V"));
    Bodies.beforeReturns(method, end);
    method.instructions.insert(begin);
    method.maxStack += 3;
  }

  /** A thread that carries virtual ones. */
  private static void keepReal(ClassNode tree, int baseId) {
    for (MethodNode method : Bodies.named(tree, "<init>")) {
      Bodies.beforeReturns(method, tell("keepReal"));
      method.maxStack += 1;
    }
  }

  private static InsnList tell(String name) {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(Bodies.call(RuntimeClasses.LOGICAL_CLOCK, name, OF_THREAD));
    return code;
  }

  /** A method handle to a native that reads the clock leads to what reads the logical one. */
  private static void leadHandles(ClassNode tree, int baseId) {
    String found = "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;)";
    MethodNode method = Bodies.find(tree, "findStatic", found + "Ljava/lang/invoke/MethodHandle;");
    InsnList code = new InsnList();
    for (String part : List.of("name", "owner")) {
      for (int k = 1; k <= 3; k++) {
        code.add(new VarInsnNode(ALOAD, k));
      }
      String type = part.equals("name") ? "Ljava/lang/String;" : "Ljava/lang/Class;";
      code.add(Bodies.call(RuntimeClasses.CLOCK_HANDLES, part + "Of", found + type));
    }
    code.add(new VarInsnNode(ASTORE, 1));
    code.add(new VarInsnNode(ASTORE, 2));
    method.instructions.insert(code);
    method.maxStack += 4;
    leadMethod(Bodies.named(tree, "unreflect"));
  }

  private static void leadReflection(ClassNode tree, int baseId) {
    leadMethod(Bodies.named(tree, "newMethodAccessor"));
  }

  /** The first argument is a method that is about to be called by other means. */
  private static void leadMethod(List<MethodNode> methods) {
    String descriptor = "(Ljava/lang/reflect/Method;)Ljava/lang/reflect/Method;";
    for (MethodNode method : methods) {
      InsnList code = new InsnList();
      code.add(new VarInsnNode(ALOAD, 1));
      code.add(Bodies.call(RuntimeClasses.CLOCK_HANDLES, "inPlaceOf", descriptor));
      code.add(new VarInsnNode(ASTORE, 1));
      method.instructions.insert(code);
      method.maxStack += 1;
    }
  }

  /** Object gets the method by which classes outside java.base add bytecodes to a clock. */
  private static void addStep(ClassNode tree, int baseId) {
    MethodNode method = ObjectEdit.inlined(Calls.PREFIX + "step", Calls.STEP_DESCRIPTOR);
    InsnList code = method.instructions;
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(new InsnNode(DUP));
    code.add(new FieldInsnNode(GETFIELD, Calls.THREAD, Calls.CLOCK, "J"));
    code.add(new VarInsnNode(ILOAD, 1));
    code.add(new InsnNode(I2L));
    code.add(new InsnNode(LADD));
    code.add(new FieldInsnNode(PUTFIELD, Calls.THREAD, Calls.CLOCK, "J"));
    code.add(new InsnNode(RETURN));
    method.maxLocals = 2;
    method.maxStack = 5;
    tree.methods.add(method);
  }

  /** Since release 19 {@code wait} has a body, around a native that nobody else can name. */
  private static void editWait(ClassNode tree, int baseId) {
    MethodNode method = Bodies.find(tree, "wait", "(J)V");
    if (method.instructions.size() == 0) {
      return;
    }
    LabelNode start = new LabelNode();
    LabelNode end = new LabelNode();
    InsnList begin = new InsnList();
    begin.add(start);
    begin.add(new VarInsnNode(ALOAD, 0));
    begin.add(new VarInsnNode(LLOAD, 1));
    begin.add(Bodies.call(RuntimeClasses.CLOCK_WAITS, "waiting", "(Ljava/lang/Object;J)V"));
    Bodies.beforeReturns(method, waited());
    method.instructions.insert(begin);
    method.instructions.add(end);
    method.instructions.add(
        new FrameNode(Opcodes.F_NEW, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"}));
    method.instructions.add(waited());
    method.instructions.add(new InsnNode(ATHROW));
    method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, end, null));
    method.maxStack += 3;
  }

  private static InsnList waited() {
    InsnList code = new InsnList();
    code.add(Bodies.call(RuntimeClasses.CLOCK_WAITS, "waited", "()V"));
    return code;
  }
}
