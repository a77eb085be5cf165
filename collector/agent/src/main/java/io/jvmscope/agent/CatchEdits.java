package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.DUP;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.probe.Lifetimes;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * Has the handlers of a class that is left out give the thread the slot that it had when their
 * method began. Methods that end by an exception give nothing back, so without this, what the
 * handler calls would count below the method that threw.
 */
final class CatchEdits implements MethodEdit {
  /** Operands that a handler has above the exception, or a method at its entry. */
  private static final int STACK = 4;

  private final ClassFile file;
  private final Calls calls;
  private final boolean endsFrames;

  private CatchEdits(ClassFile file, Calls calls, boolean endsFrames) {
    this.file = file;
    this.calls = calls;
    this.endsFrames = endsFrames;
  }

  /**
   * The edit of a class that is not instrumented; none if it catches nothing.
   *
   * @param endsFrames lifetimes are recorded, so the frames that the exception ended are to end
   */
  static List<MethodEdit> of(ClassFile file, Calls calls, boolean endsFrames) {
    for (ClassFile.Method method : file.methods()) {
      if (catches(method)) {
        return List.of(new CatchEdits(file, calls, endsFrames));
      }
    }
    return List.of();
  }

  private static boolean catches(ClassFile.Method method) {
    return method.code() != null
        && method.code().handlers().length > 0
        && Instrumenter.hasRoom(method.code());
  }

  @Override
  public void apply(ClassFile.Method method, MethodNode node) {
    if (catches(method)) {
      giveBack(node);
    }
  }

  /** The slot is in the variable that a counting method has for its node. */
  private void giveBack(MethodNode method) {
    HandlerGuards guards = new HandlerGuards(method, Bodies.hasFrames(file, method));
    CountingLocals locals = new CountingLocals(method, false, endsFrames, false);
    AbstractInsnNode[] instructions = Bodies.instructions(method);
    LabelNode[] allocations = locals.adaptFrames(instructions);
    List<AbstractInsnNode> given = new ArrayList<>();
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      AbstractInsnNode first = CountingLocals.nextReal(block.handler);
      if (!given.contains(first)) {
        given.add(first);
        InsnList code = new InsnList();
        code.add(locals.loadThread());
        code.add(locals.loadNode());
        code.add(calls.setSlot());
        if (endsFrames) {
          code.add(locals.loadThread());
          code.add(locals.loadFrame());
          code.add(calls.call(Lifetimes.CAUGHT_ABOVE));
        }
        method.instructions.insertBefore(first, code);
      }
    }
    for (int i = 0; i < instructions.length; i++) {
      if (allocations[i] != null) {
        method.instructions.insertBefore(instructions[i], allocations[i]);
      }
    }
    InsnList entry = new InsnList();
    entry.add(calls.currentThread());
    entry.add(new InsnNode(DUP));
    entry.add(locals.storeThread());
    entry.add(calls.getSlot());
    entry.add(locals.storeNode());
    if (endsFrames) {
      entry.add(locals.loadThread());
      entry.add(calls.call(Lifetimes.FRAMES_END));
      entry.add(locals.storeFrame());
    }
    method.instructions.insert(entry);
    method.maxLocals += locals.size();
    method.maxStack += STACK;
    guards.insert(false);
  }
}
