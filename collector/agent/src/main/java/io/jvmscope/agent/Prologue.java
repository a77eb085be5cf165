package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.DUP2;

import io.jvmscope.agent.Calls.Entry;
import io.jvmscope.classfile.MethodPlan;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** What a counting method does first: finds its node, and counts its call. */
final class Prologue {
  private final MethodNode method;
  private final MethodPlan plan;
  private final int id;
  private final Calls calls;
  private final CountingLocals locals;
  private final CountingCode counting;

  Prologue(MethodNode method, MethodPlan plan, int id, Calls calls, CountingLocals locals) {
    this.method = method;
    this.plan = plan;
    this.id = id;
    this.calls = calls;
    this.locals = locals;
    this.counting = new CountingCode(calls, locals);
  }

  InsnList code() {
    InsnList code = new InsnList();
    addFirstLine(code);
    int shape = plan.counterCount() << 16 | plan.slotCount();
    code.add(calls.currentThread());
    code.add(new InsnNode(DUP));
    code.add(locals.storeThread());
    code.add(locals.loadThread());
    code.add(calls.getSlot());
    if (plan.setsSlot()) {
      code.add(new InsnNode(DUP2));
      code.add(locals.storeSlot());
    }
    code.add(Push.of(id));
    code.add(Push.of(shape));
    code.add(calls.call(Entry.ENTER));
    code.add(locals.storeNode());
    if (plan.countsCallsApart()) {
      counting.count(code, 0);
    }
    if (plan.needsOwnSlot(0)) {
      counting.setSlot(code, 0);
    }
    addOverride(code);
    return code;
  }

  /** A hashCode or clone of its own: calls of it are not those of {@code Object}'s. */
  private void addOverride(InsnList code) {
    Entry override = OverrideEdits.call(method.name, method.desc);
    if (override != null && !isStatic()) {
      code.add(new VarInsnNode(ALOAD, 0));
      code.add(calls.call(override));
    }
  }

  /** A stack that overflows does so in the prologue: the frame's line is the method's first. */
  private void addFirstLine(InsnList code) {
    for (AbstractInsnNode i = method.instructions.getFirst(); i != null; i = i.getNext()) {
      if (i instanceof LineNumberNode line) {
        LabelNode start = new LabelNode();
        code.add(start);
        code.add(new LineNumberNode(line.line, start));
        return;
      }
      if (i.getOpcode() >= 0) {
        return;
      }
    }
  }

  private boolean isStatic() {
    return (method.access & Opcodes.ACC_STATIC) != 0;
  }
}
