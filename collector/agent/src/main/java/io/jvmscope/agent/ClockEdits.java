package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.DUP2;
import static org.objectweb.asm.Opcodes.I2L;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;

import io.jvmscope.agent.Calls.Entry;
import io.jvmscope.classfile.ClassFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Gives a class the logical clocks of {@code --clock steps}: where it calls a native that reads the
 * time, waits, or ends the wait of another thread. The natives stay as they are, which the VM
 * registers by name; calls of them are counted as if nothing had changed.
 */
final class ClockEdits implements ClassEdit {
  /** Names of methods that {@link #replace} looks for. */
  private static final Set<String> NAMES =
      Set.of(
          "nanoTime",
          "currentTimeMillis",
          "getNanoTimeAdjustment",
          "sleep",
          "sleep0",
          "sleepNanos0",
          "wait",
          "notify",
          "notifyAll",
          "park",
          "unpark",
          "poll",
          "pollConnect");

  private static final String SYSTEM = "java/lang/System";
  private static final String UNSAFE = "jdk/internal/misc/Unsafe";
  private static final String EPOLL = "sun/nio/ch/EPoll";
  private static final String POLL = "sun/nio/ch/PollSelectorImpl";
  private static final String NET = "sun/nio/ch/Net";
  private static final int STACK = 4;

  /** Until release 18 natives that programs call; later natives of other names below them. */
  private static final boolean HAS_PUBLIC_NATIVES = Runtime.version().feature() < 19;

  /** Its argument had milliseconds until release 20; after release 21 it has another name. */
  private static final boolean SLEEP0_TAKES_NANOS = Runtime.version().feature() >= 21;

  private final Calls calls;

  private ClockEdits(Calls calls) {
    this.calls = calls;
  }

  /** The edit of a class; none if it surely calls no such native. */
  static List<ClassEdit> of(ClassFile file, Calls calls) {
    boolean isRecorder = file.name().startsWith("jdk/jfr/"); // its events have real times
    for (int k = 1; k < file.poolSize() && !isRecorder; k++) {
      if (file.isUtf8(k) && NAMES.contains(file.utf8(k))) {
        return List.of(new ClockEdits(calls));
      }
    }
    return List.of();
  }

  /** The edits of a class of the JDK, those of threads and of messages between them included. */
  static List<ClassEdit> ofJdk(ClassFile file, Calls calls) {
    List<ClassEdit> edits = new ArrayList<>(ClockThreadEdits.of(file.name()));
    edits.addAll(ClockMessageEdits.of(file.name()));
    edits.addAll(of(file, calls));
    return edits;
  }

  @Override
  public void apply(ClassNode tree, int baseId) {
    for (MethodNode method : tree.methods) {
      boolean isEdited = false;
      for (AbstractInsnNode i : method.instructions.toArray()) {
        if (i instanceof MethodInsnNode call && NAMES.contains(call.name)) {
          isEdited |=
              call.getOpcode() == INVOKESTATIC
                  ? editStatic(method, call, inheritsSleep(tree, call))
                  : edit(method, call);
        }
      }
      if (isEdited) {
        method.maxStack += STACK;
      }
    }
  }

  /**
   * Does a call by the name of the class itself reach Thread's sleep? Compilers write so where a
   * thread's code says {@code sleep(millis)}.
   */
  private static boolean inheritsSleep(ClassNode tree, MethodInsnNode call) {
    boolean inherits =
        call.name.equals("sleep")
            && call.owner.equals(tree.name)
            && Calls.THREAD.equals(tree.superName);
    for (MethodNode own : tree.methods) {
      inherits &= !own.name.equals(call.name) || !own.desc.equals(call.desc);
    }
    return inherits;
  }

  private boolean editStatic(MethodNode method, MethodInsnNode call, boolean isOfThread) {
    String owner = isOfThread ? Calls.THREAD : call.owner;
    switch (owner + "." + call.name + call.desc) {
      case SYSTEM + ".nanoTime()J" -> replace(method, call, Entry.NANO_TIME);
      case SYSTEM + ".currentTimeMillis()J" -> replace(method, call, Entry.MILLIS);
      case "jdk/internal/misc/VM.getNanoTimeAdjustment(J)J" ->
          replace(method, call, Entry.ADJUSTMENT);
      case Calls.THREAD + ".sleep(J)V" -> {
        if (!HAS_PUBLIC_NATIVES) {
          return false;
        }
        replace(method, call, Entry.SLEEP);
      }
      case Calls.THREAD + ".sleepNanos0(J)V" -> around(method, call, false, "sleep");
      case Calls.THREAD + ".sleep0(J)V" ->
          around(method, call, false, SLEEP0_TAKES_NANOS ? "sleep" : "sleepMillis");
      case NET + ".poll(Ljava/io/FileDescriptor;IJ)I",
          NET + ".pollConnect(Ljava/io/FileDescriptor;J)Z" ->
          around(method, call, false, "poll");
      case EPOLL + ".wait(IJII)I", POLL + ".poll(JII)I" -> around(method, call, true, "poll");
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean edit(MethodNode method, MethodInsnNode call) {
    switch (call.name + call.desc) {
      case "wait(J)V" -> {
        if (!HAS_PUBLIC_NATIVES) {
          return false;
        }
        replace(method, call, Entry.WAIT);
      }
      case "notify()V", "notifyAll()V" -> before(method, call, Entry.NOTIFYING);
      case "park(ZJ)V" -> {
        if (!call.owner.equals(UNSAFE)) {
          return false;
        }
        replace(method, call, Entry.PARK);
      }
      case "unpark(Ljava/lang/Object;)V" -> {
        if (!call.owner.equals(UNSAFE)) {
          return false;
        }
        before(method, call, Entry.UNPARKING);
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void replace(MethodNode method, MethodInsnNode call, Entry entry) {
    method.instructions.set(call, calls.call(entry));
  }

  /** Tells of the last operand before a call. */
  private void before(MethodNode method, MethodInsnNode call, Entry entry) {
    InsnList code = new InsnList();
    code.add(new InsnNode(DUP));
    code.add(calls.call(entry));
    method.instructions.insertBefore(call, code);
  }

  /** Tells of the timeout, the last operand, before a call in java.base; afterwards of a result. */
  private static void around(MethodNode method, MethodInsnNode call, boolean isInt, String what) {
    InsnList code = new InsnList();
    code.add(new InsnNode(isInt ? DUP : DUP2));
    if (isInt) {
      code.add(new InsnNode(I2L));
    }
    code.add(Bodies.call(RuntimeClasses.CLOCK_WAITS, what + "Begins", "(J)V"));
    method.instructions.insertBefore(call, code);
    boolean isPoll = what.equals("poll");
    InsnList after = new InsnList();
    if (isPoll) {
      after.add(new InsnNode(DUP));
    }
    String end = isPoll ? "pollEnds" : "sleepEnds";
    after.add(Bodies.call(RuntimeClasses.CLOCK_WAITS, end, isPoll ? "(I)V" : "()V"));
    method.instructions.insert(call, after);
  }
}
