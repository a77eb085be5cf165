package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.DUP_X1;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.SWAP;

import io.jvmscope.agent.Calls.Entry;
import io.jvmscope.classfile.MethodPlan.Site;
import io.jvmscope.classfile.MethodPlan.SiteKind;
import io.jvmscope.probe.Probe;
import java.util.List;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Asks probes for code after calls of clone. They see a clone as a copy of its original only where
 * the native method made it: one that a method with a body returns was seen there, whether it was
 * copied or constructed.
 */
final class CloneCode {
  private static final String CLONE = "()Ljava/lang/Object;";

  private final MethodNode method;
  private final ProbeCode code;
  private final CountingLocals locals;
  private final Calls calls;
  private final CountingCode counting;

  CloneCode(MethodNode method, ProbeCode code, CountingLocals locals, Calls calls) {
    this.method = method;
    this.code = code;
    this.locals = locals;
    this.calls = calls;
    this.counting = new CountingCode(calls, locals);
  }

  /** May the call reach the clone of {@code Object}? */
  static boolean isClone(MethodInsnNode call) {
    return call.name.equals("clone")
        && call.desc.equals(CLONE)
        && call.getOpcode() != INVOKESTATIC
        && !call.owner.startsWith("[");
  }

  /** Inserts what the probes want after the call that is an instruction of the method. */
  void insert(int instruction, MethodInsnNode call, List<Probe> probes) {
    for (Probe probe : probes) {
      InsnList after = new InsnList();
      tellOriginal(after, instruction, call);
      probe.atClone(code.to(after));
      method.instructions.insertBefore(call, new InsnNode(DUP));
      method.instructions.insert(call, after);
    }
  }

  /** Replaces the receiver below the clone by the clone itself, unless the native was reached. */
  private void tellOriginal(InsnList after, int instruction, MethodInsnNode call) {
    Site site = code.plan().siteAt(instruction); // null: too large a method for its sites
    boolean isEither = site != null && site.kind() == SiteKind.EITHER;
    if (call.getOpcode() == INVOKESPECIAL && !isEither) {
      return;
    }
    after.add(new InsnNode(DUP_X1));
    if (isEither) {
      after.add(locals.loadThread());
      counting.addSlotAddress(after, site.index());
    }
    after.add(calls.call(isEither ? Entry.ORIGINAL_OF : Entry.ORIGINAL_BY));
    after.add(new InsnNode(SWAP));
  }
}
