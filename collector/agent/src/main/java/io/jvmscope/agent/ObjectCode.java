package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.DUP2;
import static org.objectweb.asm.Opcodes.DUP2_X1;
import static org.objectweb.asm.Opcodes.DUP_X2;
import static org.objectweb.asm.Opcodes.GETFIELD;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.POP2;
import static org.objectweb.asm.Opcodes.PUTFIELD;
import static org.objectweb.asm.Opcodes.RETURN;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.probe.Probe;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/** Asks probes for code where one method accesses fields, clones, and constructs its object. */
final class ObjectCode {
  private final ClassFile file;
  private final MethodNode method;
  private final AbstractInsnNode[] instructions;
  private final List<Probe> followers = new ArrayList<>();
  private final ProbeCode code;
  private final CountingLocals locals;
  private final FieldKeys keys;
  private final Constructor constructor;
  private final Calls calls;

  ObjectCode(
      ClassFile file,
      MethodNode method,
      AbstractInsnNode[] instructions,
      Probe[] probes,
      ProbeCode code,
      CountingLocals locals,
      FieldKeys keys,
      Calls calls,
      Constructor constructor) {
    this.file = file;
    this.method = method;
    this.instructions = instructions;
    this.code = code;
    this.locals = locals;
    this.keys = keys;
    this.calls = calls;
    this.constructor = constructor;
    for (Probe probe : probes) {
      if (probe.followsObjects()) {
        followers.add(probe);
      }
    }
  }

  void insert() {
    for (int k = 0; k < instructions.length; k++) {
      AbstractInsnNode i = instructions[k];
      if (i instanceof FieldInsnNode access && access.getOpcode() >= GETFIELD) {
        atField(k, access);
      } else if (i instanceof MethodInsnNode call && CloneCode.isClone(call)) {
        new CloneCode(method, code, locals, calls).insert(k, call, followers);
      } else if (i instanceof MethodInsnNode call && UnsafeCall.kind(call) != null) {
        new UnsafeCall(call, method, locals).insert(followers, code);
      }
    }
    if (keys.isWatched() && !constructor.calls().isEmpty()) {
      construct();
    }
  }

  private void atField(int k, FieldInsnNode access) {
    if (constructor.isEarly(k)) {
      if (keys.isWatched()) {
        mark(access);
      }
      return;
    }
    int key = keys.key(access.owner, access.name, access.desc);
    if (key == FieldKeys.NONE) {
      return;
    }
    InsnList before = new InsnList();
    boolean writes = access.getOpcode() == PUTFIELD;
    for (Probe probe : followers) {
      addObject(before, access);
      probe.atField(code.to(before), key, writes);
    }
    method.instructions.insertBefore(access, before);
  }

  /** Pushes the object whose field is accessed once more. */
  private static void addObject(InsnList before, FieldInsnNode access) {
    if (access.getOpcode() == GETFIELD) {
      before.add(new InsnNode(DUP));
    } else if (access.desc.equals("J") || access.desc.equals("D")) {
      before.add(new InsnNode(DUP2_X1));
      before.add(new InsnNode(POP2));
      before.add(new InsnNode(DUP_X2));
    } else {
      before.add(new InsnNode(DUP2));
      before.add(new InsnNode(POP));
    }
  }

  /** Before the object is initialised no method may see it: the word is written here. */
  private void mark(FieldInsnNode access) {
    int index = InstanceFields.indexOf(InstanceFields.of(file), access.name, access.desc);
    InsnList before = new InsnList();
    addObject(before, access);
    before.add(new LdcInsnNode(Probe.EARLY));
    before.add(new FieldInsnNode(PUTFIELD, file.name(), InstanceFields.word(index), "J"));
    method.instructions.insertBefore(access, before);
  }

  private void construct() {
    BitSet calls = constructor.calls();
    List<LabelNode> starts = new ArrayList<>();
    for (int k = calls.nextSetBit(0); k >= 0; k = calls.nextSetBit(k + 1)) {
      InsnList after = new InsnList();
      begin(after, constructor.callsOwn(k));
      LabelNode start = new LabelNode();
      after.add(start);
      starts.add(start);
      method.instructions.insert(instructions[k], after);
    }
    for (int k = calls.nextSetBit(0); k < instructions.length; k++) {
      if (instructions[k].getOpcode() == RETURN) {
        InsnList before = new InsnList();
        end(before);
        method.instructions.insertBefore(instructions[k], before);
      }
    }
    endOnException(starts);
  }

  private void begin(InsnList after, boolean callsOwn) {
    boolean isBorn = ShadowEdit.isAboveRoot(file.superName()) && !callsOwn;
    for (Probe probe : followers) {
      if (isBorn) {
        probe.atBirth(code.to(after));
      } else if (callsOwn) {
        probe.atConstruction(code.to(after), true);
      }
      settle(after, probe);
    }
  }

  private void end(InsnList list) {
    for (Probe probe : followers) {
      probe.atConstruction(code.to(list), false);
    }
  }

  /** What was written before the object was initialised is seen now. */
  private void settle(InsnList after, Probe probe) {
    List<String> seen = new ArrayList<>();
    for (int k = 0; k < instructions.length; k++) {
      if (constructor.isEarly(k)) {
        FieldInsnNode access = (FieldInsnNode) instructions[k];
        String field = InstanceFields.text(access.name, access.desc);
        if (!seen.contains(field)) {
          seen.add(field);
          code.to(after).loadThis();
          probe.afterEarly(code, keys.key(access.owner, access.name, access.desc));
        }
      }
    }
  }

  /** Ends the construction where an exception leaves what is behind a call. */
  private void endOnException(List<LabelNode> starts) {
    LabelNode handler = new LabelNode();
    List<LabelNode> ends = new ArrayList<>();
    for (LabelNode start : starts) {
      ends.add(constructor.call >= 0 ? handler : endOf(start, handler));
    }
    InsnList list = new InsnList();
    list.add(handler);
    if (file.majorVersion() >= 50) {
      list.add(locals.handlerFrame(file.name()));
    }
    end(list);
    list.add(new InsnNode(ATHROW));
    method.instructions.add(list);
    for (int k = 0; k < starts.size(); k++) {
      method.tryCatchBlocks.add(new TryCatchBlockNode(starts.get(k), ends.get(k), handler, null));
    }
  }

  /** Where the code of another way begins, on which the object is not initialised. */
  private LabelNode endOf(LabelNode start, LabelNode handler) {
    for (AbstractInsnNode i = start; i != null; i = i.getNext()) {
      if (i instanceof FrameNode frame && !file.name().equals(firstOf(frame))) {
        LabelNode end = new LabelNode();
        method.instructions.insertBefore(i, end);
        return end;
      }
    }
    return handler;
  }

  private static Object firstOf(FrameNode frame) {
    return frame.local.isEmpty() ? null : frame.local.get(0);
  }

  /** Is there a probe that follows objects? */
  static boolean isWanted(Probe[] probes) {
    for (Probe probe : probes) {
      if (probe.followsObjects()) {
        return true;
      }
    }
    return false;
  }
}
