package io.jvmscope.watch;

import static org.objectweb.asm.Opcodes.*;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Puts a probe into a method: at its beginning what it measures is begun, and kept in a new local
 * variable; before each return and in a handler around the body it is ended.
 *
 * <p>A constructor's probe begins behind the call of the other constructor, since no handler may
 * surround that. Its condition is evaluated at the beginning, where it sees the parameters alone.
 */
final class ProbeCode {
  private static final String PROBES = Type.getInternalName(Probes.class);
  private static final String ACTIVATION = Type.getInternalName(Activation.class);
  private static final String ENDS = "(L" + ACTIVATION + ";)V";
  private static final int FIRST_WITH_FRAMES = 50; // version of class files

  private final ClassNode owner;
  private final ClassLoader loader; // null: the boot loader
  private final MethodNode method;
  private final ProbedMethod probed;
  private final boolean hasFrames;
  private final boolean isConstructor;
  private final int base;
  private ConditionCode condition; // null: there is none
  private int activation;

  private ProbeCode(ClassNode owner, ClassLoader loader, MethodNode method, ProbedMethod probed) {
    this.owner = owner;
    this.loader = loader;
    this.method = method;
    this.probed = probed;
    hasFrames = (owner.version & 0xffff) >= FIRST_WITH_FRAMES;
    isConstructor = method.name.equals("<init>");
    base = method.maxLocals;
  }

  /**
   * Puts a probe into a method that has code.
   *
   * @return false if it is a constructor in which the call of another one is not found
   */
  static boolean insert(ClassNode owner, ClassLoader loader, MethodNode method, ProbedMethod probed)
      throws ConditionException {
    return new ProbeCode(owner, loader, method, probed).insert();
  }

  private boolean insert() throws ConditionException {
    AbstractInsnNode before = isConstructor ? callOfConstructor() : null;
    if (isConstructor && before == null) {
      return false;
    }
    InsnList start = condition();
    declareInFrames();
    LabelNode body = new LabelNode();
    if (before == null) {
      method.instructions.insert(body);
      start.add(enter());
    } else {
      start.add(new InsnNode(ACONST_NULL));
      start.add(new VarInsnNode(ASTORE, activation));
      method.instructions.insert(before, body);
      method.instructions.insert(before, enter());
    }
    end(body);
    method.instructions.insert(start);
    if (condition != null) {
      method.tryCatchBlocks.addAll(condition.handlers);
    }
    method.maxLocals = activation + 1;
    method.maxStack =
        Math.max(method.maxStack + 1, condition == null ? 2 : ConditionCode.MOST_STACK);
    return true;
  }

  /** The code that evaluates the condition; empty if there is none. */
  private InsnList condition() throws ConditionException {
    activation = base;
    if (probed.probe.condition() == null) {
      return new InsnList();
    }
    condition = new ConditionCode(probed.number, hasFrames, parametersInFrames(), base);
    ParameterNames names = new ParameterNames(method, probed.probe.names());
    new ConditionCompiler(owner, loader, names, probed.probe, condition).compile();
    activation = condition.nextLocal();
    return condition.code;
  }

  private List<Object> parametersInFrames() {
    List<Object> locals = new ArrayList<>();
    if ((method.access & ACC_STATIC) == 0) {
      locals.add(isConstructor ? UNINITIALIZED_THIS : owner.name);
    }
    for (Type type : Type.getArgumentTypes(method.desc)) {
      locals.add(ConditionCode.inFrame(type));
    }
    return locals;
  }

  /** Says in the method's frames that there are locals more. */
  private void declareInFrames() {
    for (AbstractInsnNode each : method.instructions) {
      if (each instanceof FrameNode frame) {
        ConditionCode.fill(frame.local, base);
        if (condition != null) {
          frame.local.add(INTEGER);
        }
        ConditionCode.fill(frame.local, activation);
        frame.local.add(ACTIVATION);
      }
    }
  }

  private InsnList enter() {
    InsnList code = new InsnList();
    if (condition != null) {
      code.add(new VarInsnNode(ILOAD, condition.result));
    }
    code.add(new IntInsnNode(SIPUSH, probed.number));
    String name = condition == null ? "enter" : "enterIf";
    String descriptor = (condition == null ? "(I)" : "(ZI)") + "L" + ACTIVATION + ";";
    code.add(new MethodInsnNode(INVOKESTATIC, PROBES, name, descriptor, false));
    code.add(new VarInsnNode(ASTORE, activation));
    return code;
  }

  /** Ends the invocation where the body does, from a label on. */
  private void end(LabelNode body) {
    LabelNode handler = new LabelNode();
    LabelNode from = body;
    AbstractInsnNode each = body;
    while (each != null) {
      AbstractInsnNode next = each.getNext();
      if (each.getOpcode() >= IRETURN && each.getOpcode() <= RETURN) {
        LabelNode to = new LabelNode();
        method.instructions.insertBefore(each, to);
        method.instructions.insertBefore(each, call("returned"));
        handle(from, to, handler);
        from = new LabelNode();
        method.instructions.insert(each, from);
      }
      each = next;
    }
    LabelNode to = new LabelNode();
    method.instructions.add(to);
    handle(from, to, handler);
    if (method.tryCatchBlocks.stream().noneMatch(block -> block.handler == handler)) {
      return;
    }
    method.instructions.add(handler);
    if (hasFrames) {
      List<Object> locals = new ArrayList<>();
      ConditionCode.fill(locals, activation);
      locals.add(ACTIVATION);
      Object[] stack = {"java/lang/Throwable"};
      method.instructions.add(new FrameNode(F_NEW, locals.size(), locals.toArray(), 1, stack));
    }
    method.instructions.add(call("thrown"));
    method.instructions.add(new InsnNode(ATHROW));
  }

  private InsnList call(String name) {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, activation));
    code.add(new MethodInsnNode(INVOKESTATIC, PROBES, name, ENDS, false));
    return code;
  }

  /** Adds a handler for some code, unless there is none; it comes behind the method's own. */
  private void handle(LabelNode from, LabelNode to, LabelNode handler) {
    for (AbstractInsnNode each = from; each != to; each = each.getNext()) {
      if (each.getOpcode() >= 0) {
        method.tryCatchBlocks.add(new TryCatchBlockNode(from, to, handler, null));
        return;
      }
    }
  }

  /**
   * The call by which a constructor has its object initialised: the first one that belongs to no
   * {@code new}. Null if there is another such call, which compilers of Java do not make.
   */
  private AbstractInsnNode callOfConstructor() {
    AbstractInsnNode found = null;
    int open = 0;
    for (AbstractInsnNode each : method.instructions) {
      if (each.getOpcode() == NEW) {
        open++;
      } else if (each instanceof MethodInsnNode call
          && call.getOpcode() == INVOKESPECIAL
          && call.name.equals("<init>")
          && open-- == 0) {
        if (found != null) {
          return null;
        }
        found = each;
        open = 0;
      }
    }
    return found;
  }
}
