package io.jvmscope.agent;

import static jdk.internal.perf.ArenaLayout.COUNTERS;
import static org.objectweb.asm.Opcodes.LADD;

import io.jvmscope.agent.Calls.Entry;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;

/** The pieces of code that counting is made of: counters and the thread's slot. */
final class CountingCode {
  private final Calls calls;
  private final CountingLocals locals;

  CountingCode(Calls calls, CountingLocals locals) {
    this.calls = calls;
    this.locals = locals;
  }

  /** Adds one to a counter of the node. */
  void count(InsnList code, int counter) {
    code.add(locals.loadNode());
    code.add(Push.of(COUNTERS + 8 * counter));
    code.add(calls.call(Entry.COUNT));
  }

  /** Makes a slot of the node the thread's. */
  void setSlot(InsnList code, int slot) {
    code.add(locals.loadThread());
    addSlotAddress(code, slot);
    code.add(calls.setSlot());
  }

  /** Pushes the address of a slot of the node. */
  void addSlotAddress(InsnList code, int slot) {
    code.add(locals.loadNode());
    code.add(new LdcInsnNode(distance(slot)));
    code.add(new InsnNode(LADD));
  }

  /** Distance of a slot from its node. */
  static long distance(int slot) {
    return -4L * (slot + 1);
  }

  /** Pushes the distance of a counter from its node. */
  void pushDistance(InsnList code, int counter) {
    code.add(Push.of(COUNTERS + 8 * counter));
  }

  /** Makes the caller's slot the thread's. */
  void giveBack(InsnList code) {
    code.add(locals.loadThread());
    code.add(locals.loadSlot());
    code.add(calls.setSlot());
  }
}
