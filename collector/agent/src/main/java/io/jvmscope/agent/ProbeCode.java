package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ARRAYLENGTH;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.DUP2;

import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.probe.Code;
import io.jvmscope.probe.RuntimeMethod;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** What probes add to one method, at one place after the other. */
final class ProbeCode implements Code {
  private final MethodPlan plan;
  private final int id;
  private final String owner; // null: its constant might ask a class loader
  private final boolean keepsSlot;
  private final boolean isJdk;
  private final Calls calls;
  private final CountingLocals locals;
  private final CountingCode counting;
  private InsnList code;
  private int held;

  /**
   * Makes the code of a method.
   *
   * @param owner the class, if it is hidden: then the VM knows its constant without asking a
   *     loader, unlike that of classes that reflection generates (17)
   * @param keepsSlot whether the caller's slot is in a local; if not, it is the thread's all along
   */
  ProbeCode(
      MethodPlan plan,
      int id,
      String owner,
      boolean keepsSlot,
      boolean isJdk,
      Calls calls,
      CountingLocals locals) {
    this.plan = plan;
    this.id = id;
    this.owner = owner;
    this.keepsSlot = keepsSlot;
    this.isJdk = isJdk;
    this.calls = calls;
    this.locals = locals;
    this.counting = new CountingCode(calls, locals);
  }

  /** The same, adding to instructions. */
  ProbeCode to(InsnList instructions) {
    code = instructions;
    return this;
  }

  @Override
  public MethodPlan plan() {
    return plan;
  }

  @Override
  public boolean isJdk() {
    return isJdk;
  }

  @Override
  public void pushMethod() {
    push(id);
  }

  @Override
  public void push(int value) {
    code.add(Push.of(value));
  }

  @Override
  public void pushSlot(int slot) {
    push((int) CountingCode.distance(slot));
  }

  @Override
  public void pushCounter(int counter) {
    counting.pushDistance(code, counter);
  }

  @Override
  public boolean pushClass() {
    if (owner != null) {
      code.add(new LdcInsnNode(Type.getObjectType(owner)));
    }
    return owner != null;
  }

  @Override
  public void loadThis() {
    code.add(new VarInsnNode(ALOAD, 0));
  }

  @Override
  public void loadCaught() {
    code.add(new InsnNode(DUP));
  }

  @Override
  public void loadMade() {
    code.add(new InsnNode(DUP));
  }

  @Override
  public void takeLength() {
    code.add(new InsnNode(ARRAYLENGTH));
  }

  @Override
  public void loadTwo() {
    code.add(new InsnNode(DUP2));
    held += 2;
  }

  /** Operands that probes have copied since {@link #forgetHeld}. */
  int held() {
    return held;
  }

  void forgetHeld() {
    held = 0;
  }

  @Override
  public void count(int counter) {
    counting.count(code, counter);
  }

  @Override
  public void loadReceiver(String descriptor) {
    if (!ReceiverCopy.push(code, descriptor)) {
      throw new IllegalArgumentException(descriptor + ": too many arguments");
    }
  }

  @Override
  public void loadThread() {
    code.add(locals.loadThread());
  }

  @Override
  public void loadNode() {
    code.add(locals.loadNode());
  }

  @Override
  public void loadCallersSlot() {
    if (keepsSlot) {
      code.add(locals.loadSlot());
    } else {
      code.add(locals.loadThread());
      code.add(calls.getSlot());
    }
  }

  @Override
  public void call(RuntimeMethod method) {
    code.add(calls.call(method));
  }

  @Override
  public void advanceClock(int bytecodes) {
    code.add(locals.loadThread());
    code.add(calls.step(bytecodes));
  }
}
