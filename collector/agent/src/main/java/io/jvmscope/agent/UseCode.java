package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.MONITORENTER;
import static org.objectweb.asm.Opcodes.MONITOREXIT;
import static org.objectweb.asm.Opcodes.RETURN;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.probe.Probe;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Asks probes for code where one method enters and leaves monitors, and clones. That of monitors
 * comes before the instruction: so an exception in it finds the monitor in the state that the
 * method's handlers expect. A synchronized method also ends by exceptions, which a handler around
 * all of it passes on.
 */
final class UseCode {
  private static final int FIRST_WITH_FRAMES = 50;
  private static final int FIRST_WITH_CLASS_CONSTANTS = 49;

  private final ClassFile file;
  private final MethodNode method;
  private final ProbeCode code;
  private final CountingLocals locals;
  private final Calls calls;
  private final List<Probe> ofClones = new ArrayList<>();
  private final List<Probe> ofMonitors = new ArrayList<>();

  UseCode(
      ClassFile file,
      MethodNode method,
      Probe[] probes,
      ProbeCode code,
      CountingLocals locals,
      Calls calls) {
    this.file = file;
    this.method = method;
    this.code = code;
    this.locals = locals;
    this.calls = calls;
    for (Probe probe : probes) {
      if (probe.followsClones()) {
        ofClones.add(probe);
      }
      if (probe.followsMonitors()) {
        ofMonitors.add(probe);
      }
    }
  }

  /** Is there a probe that follows how objects are used? */
  static boolean isWanted(Probe[] probes) {
    for (Probe probe : probes) {
      if (probe.followsClones() || probe.followsMonitors()) {
        return true;
      }
    }
    return false;
  }

  /** Inserts what comes at single instructions. */
  void insert(AbstractInsnNode[] instructions) {
    for (int k = 0; k < instructions.length; k++) {
      AbstractInsnNode i = instructions[k];
      int opcode = i.getOpcode();
      if (opcode == MONITORENTER || opcode == MONITOREXIT) {
        atMonitor(i, k, opcode == MONITORENTER);
      } else if (i instanceof MethodInsnNode call && CloneCode.isClone(call)) {
        new CloneCode(method, code, locals, calls).insert(k, call, ofClones);
      } else if (opcode >= IRETURN && opcode <= RETURN && isSynchronized()) {
        InsnList before = new InsnList();
        end(before);
        method.instructions.insertBefore(i, before);
      }
    }
  }

  private void atMonitor(AbstractInsnNode instruction, int k, boolean enters) {
    InsnList before = new InsnList();
    for (Probe probe : ofMonitors) {
      before.add(new InsnNode(DUP));
      probe.atMonitor(code.to(before), k, enters);
    }
    method.instructions.insertBefore(instruction, before);
  }

  /** Adds what comes at the beginning of a synchronized method, once its node is known. */
  void begin(InsnList prologue) {
    if (!isSynchronized()) {
      return;
    }
    for (Probe probe : ofMonitors) {
      prologue.add(
          isStatic()
              ? new LdcInsnNode(Type.getObjectType(file.name()))
              : new VarInsnNode(ALOAD, 0));
      probe.atSynchronized(code.to(prologue));
    }
  }

  /** Adds what comes when an exception ends a synchronized method, from a label on. */
  void endOnException(LabelNode start) {
    if (!isSynchronized() || ofMonitors.isEmpty()) {
      return;
    }
    LabelNode end = new LabelNode();
    InsnList list = new InsnList();
    list.add(end);
    if (file.majorVersion() >= FIRST_WITH_FRAMES) {
      list.add(locals.handlerFrame());
    }
    end(list);
    list.add(new InsnNode(ATHROW));
    method.instructions.add(list);
    method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, end, null));
  }

  private void end(InsnList list) {
    for (Probe probe : ofMonitors) {
      probe.atSynchronizedEnd(code.to(list));
    }
  }

  /** Is the method synchronized, and can it name what it locks? */
  private boolean isSynchronized() {
    return (method.access & Opcodes.ACC_SYNCHRONIZED) != 0
        && (!isStatic() || file.majorVersion() >= FIRST_WITH_CLASS_CONSTANTS);
  }

  private boolean isStatic() {
    return (method.access & Opcodes.ACC_STATIC) != 0;
  }
}
