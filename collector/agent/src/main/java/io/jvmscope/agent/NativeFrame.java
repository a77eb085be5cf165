package io.jvmscope.agent;

import static jdk.internal.perf.LifetimeLayout.FRAME_HEAD;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.LADD;
import static org.objectweb.asm.Opcodes.LLOAD;
import static org.objectweb.asm.Opcodes.LSTORE;

import io.jvmscope.probe.Lifetimes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The frame of one of the program's own native methods, as {@link LifetimeCode} has one for other
 * methods: its arguments are roots until it has returned. An exception ends it as all frames.
 */
final class NativeFrame {
  private final MethodNode method;
  private final int local; // with the frame's address, behind the wrapper's own
  private final Calls calls;

  NativeFrame(MethodNode method, int local, Calls calls) {
    this.method = method;
    this.local = local;
    this.calls = calls;
  }

  /** Behind the code that has made the slot of the native's node the thread's. */
  void enter(InsnList code) {
    InsnList holds = new InsnList();
    int word = FRAME_HEAD;
    int argument = 0;
    if ((method.access & ACC_STATIC) == 0) {
      hold(holds, argument++, word);
      word += 4;
    }
    for (Type type : Type.getArgumentTypes(method.desc)) {
      if (type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY) {
        hold(holds, argument, word);
        word += 4;
      }
      argument += type.getSize();
    }
    code.add(calls.currentThread());
    code.add(calls.currentThread());
    code.add(calls.getSlot());
    code.add(new LdcInsnNode(-CountingCode.distance(0)));
    code.add(new InsnNode(LADD));
    code.add(Push.of(word + 4 | (word - FRAME_HEAD) / 4 << 16)); // the last word: see LifetimeProbe
    code.add(calls.call(Lifetimes.ENTER));
    code.add(new VarInsnNode(LSTORE, local));
    code.add(holds);
  }

  private void hold(InsnList code, int argument, int word) {
    code.add(new VarInsnNode(ALOAD, argument));
    code.add(new VarInsnNode(LLOAD, local));
    code.add(Push.of(word));
    code.add(calls.call(Lifetimes.HOLD));
  }

  /** When the native has returned. */
  void leave(InsnList code) {
    code.add(calls.currentThread());
    code.add(new VarInsnNode(LLOAD, local));
    code.add(calls.call(Lifetimes.LEAVE));
  }
}
