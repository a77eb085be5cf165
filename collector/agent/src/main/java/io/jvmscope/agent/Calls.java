package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.GETFIELD;
import static org.objectweb.asm.Opcodes.I2L;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.LADD;
import static org.objectweb.asm.Opcodes.PUTFIELD;

import io.jvmscope.probe.Probes;
import io.jvmscope.probe.RuntimeMethod;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * How instrumented code names what it calls. Inside java.base: the {@link RuntimeClasses}. Outside,
 * static methods of {@code Object} that lead there: a class of another loader resolves the names of
 * classes by asking its loader, in Java, where the program could see it; but its superclass it has
 * resolved already, and has these methods by that name. They are hidden from reflection.
 */
enum Calls {
  DIRECT,
  THROUGH_OBJECT;

  static final String PREFIX = RuntimeMethod.PREFIX;
  static final String OBJECT = "java/lang/Object";
  static final String THREAD = "java/lang/Thread";
  static final String SLOT = "jvmscope$slot";
  static final String CLOCK = "jvmscope$clock";
  static final String STEP_DESCRIPTOR = "(Ljava/lang/Thread;I)V";

  /** A method that instrumented code calls, whatever is recorded. */
  enum Entry {
    ENTER(RuntimeClasses.CONTEXT, "enter", "(Ljava/lang/Thread;JII)J"),
    ENTER_NATIVE(RuntimeClasses.CONTEXT, "enterNative", "(Ljava/lang/Thread;JI)J"),
    ENTER_NATIVE_OF(
        RuntimeClasses.CONTEXT, "enterNativeOf", "(Ljava/lang/Object;Ljava/lang/Thread;JJI)J"),
    COUNT(RuntimeClasses.CONTEXT, "count", "(JI)V"),
    HASHED(RuntimeClasses.CONTEXT, "hashed", "(Ljava/lang/Object;ILjava/lang/Thread;JI)I"),
    CLONED(
        RuntimeClasses.CONTEXT,
        "cloned",
        "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Thread;JI)Ljava/lang/Object;"),
    OVERRIDES_HASH(RuntimeClasses.CLASS_WORD, "overridesHash", "(Ljava/lang/Object;)V"),
    OVERRIDES_CLONE(RuntimeClasses.CLASS_WORD, "overridesClone", "(Ljava/lang/Object;)V"),
    HIDES_CLONE(RuntimeClasses.CLASS_WORD, "hidesClone", "(Ljava/lang/Object;)V"),
    BEGIN(RuntimeClasses.STAND_INS, "begin", "(Ljava/lang/Thread;)V"),
    LEAVE(RuntimeClasses.STAND_INS, "leave", "(Ljava/lang/Thread;J)V"),
    REACHED(RuntimeClasses.CONTEXT, "reached", "(Ljava/lang/Thread;JI)V"),
    ORIGINAL_OF(
        RuntimeClasses.STAND_INS,
        "originalOf",
        "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Thread;J)Ljava/lang/Object;"),
    ORIGINAL_BY(
        RuntimeClasses.STAND_INS,
        "originalBy",
        "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"),
    NAME_UNLINKED(RuntimeClasses.DISGUISE, "nameUnlinked", "(Ljava/lang/Throwable;)V"),
    START(RuntimeClasses.ROOTS, "start", "(J)J"),
    NANO_TIME(RuntimeClasses.LOGICAL_CLOCK, "nanoTime", "()J"),
    MILLIS(RuntimeClasses.LOGICAL_CLOCK, "currentTimeMillis", "()J"),
    ADJUSTMENT(RuntimeClasses.LOGICAL_CLOCK, "getNanoTimeAdjustment", "(J)J"),
    SLEEP(RuntimeClasses.CLOCK_WAITS, "sleep", "(J)V"),
    WAIT(RuntimeClasses.CLOCK_WAITS, "wait", "(Ljava/lang/Object;J)V"),
    NOTIFYING(RuntimeClasses.CLOCK_WAITS, "notifying", "(Ljava/lang/Object;)V"),
    PARK(RuntimeClasses.CLOCK_WAITS, "park", "(Ljava/lang/Object;ZJ)V"),
    UNPARKING(RuntimeClasses.CLOCK_WAITS, "unparking", "(Ljava/lang/Object;)V");

    private final RuntimeMethod method;

    Entry(String owner, String name, String descriptor) {
      method = new RuntimeMethod(owner, name, descriptor);
    }

    /** The name of the method of {@code Object} that leads there. */
    String hiddenName() {
      return Calls.hiddenName(method);
    }
  }

  /** All methods that instrumented code calls, those of probes too, some of several. */
  static List<RuntimeMethod> runtimeMethods() {
    List<RuntimeMethod> methods = new ArrayList<>();
    for (Entry entry : Entry.values()) {
      methods.add(entry.method);
    }
    for (RuntimeMethod method : Probes.runtimeMethods()) {
      if (!methods.contains(method)) {
        methods.add(method);
      }
    }
    return methods;
  }

  /** The name of the method of {@code Object} that leads to another. */
  static String hiddenName(RuntimeMethod method) {
    return method.nameInObject();
  }

  AbstractInsnNode currentThread() {
    return this == DIRECT
        ? new MethodInsnNode(INVOKESTATIC, THREAD, "currentThread", "()Ljava/lang/Thread;", false)
        : throughObject(PREFIX + "thread", "()Ljava/lang/Thread;");
  }

  /** Takes a thread, leaves its slot. */
  AbstractInsnNode getSlot() {
    return this == DIRECT
        ? new FieldInsnNode(GETFIELD, THREAD, SLOT, "J")
        : throughObject(PREFIX + "slot", "(Ljava/lang/Thread;)J");
  }

  /** Takes a thread and a slot. */
  AbstractInsnNode setSlot() {
    return this == DIRECT
        ? new FieldInsnNode(PUTFIELD, THREAD, SLOT, "J")
        : throughObject(PREFIX + "setSlot", "(Ljava/lang/Thread;J)V");
  }

  /** Takes a thread; adds bytecodes to its logical clock. */
  InsnList step(int bytecodes) {
    InsnList code = new InsnList();
    if (this == DIRECT) {
      code.add(new InsnNode(DUP));
      code.add(new FieldInsnNode(GETFIELD, THREAD, CLOCK, "J"));
      code.add(Push.of(bytecodes));
      code.add(new InsnNode(I2L));
      code.add(new InsnNode(LADD));
      code.add(new FieldInsnNode(PUTFIELD, THREAD, CLOCK, "J"));
    } else {
      code.add(Push.of(bytecodes));
      code.add(throughObject(PREFIX + "step", STEP_DESCRIPTOR));
    }
    return code;
  }

  AbstractInsnNode call(Entry entry) {
    return call(entry.method);
  }

  AbstractInsnNode call(RuntimeMethod method) {
    return this == DIRECT
        ? new MethodInsnNode(
            INVOKESTATIC, method.owner(), method.name(), method.descriptor(), false)
        : throughObject(method.nameInObject(), method.descriptor());
  }

  private static MethodInsnNode throughObject(String name, String descriptor) {
    return new MethodInsnNode(INVOKESTATIC, OBJECT, name, descriptor, false);
  }

  /** Has the code of a class name the methods of {@code Object} by its superclass. */
  static void nameThroughSuperclass(ClassNode type) {
    if (type.superName == null || type.superName.equals(OBJECT)) {
      return;
    }
    for (MethodNode method : type.methods) {
      for (AbstractInsnNode each : method.instructions) {
        if (each instanceof MethodInsnNode call
            && call.owner.equals(OBJECT)
            && call.name.startsWith(PREFIX)) {
          call.owner = type.superName;
        }
      }
    }
  }
}
