package io.jvmscope.study;

import static org.objectweb.asm.Opcodes.*;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Puts a static probe into a method: its state goes to a new local variable, behind those that are
 * there, and the code from there to each return has a handler that ends the invocation and throws
 * again.
 *
 * <p>In a constructor the invocation begins behind the call of the other constructor, since no
 * handler may cover that.
 */
final class ProbeInsertion {
  private static final String PROBES = Type.getInternalName(StaticProbes.class);
  private static final String STATE = Type.getInternalName(MethodState.class);
  private static final int FIRST_WITH_FRAMES = 50; // version of class files

  private ProbeInsertion() {}

  /**
   * Puts a probe into a method that has code.
   *
   * @param version of the class file
   * @param number what the method is called in the study
   * @return false if it is a constructor in which the call of another one is not found
   */
  static boolean insert(int version, MethodNode method, int number) {
    AbstractInsnNode before = null; // null: the probe is at the beginning
    if (method.name.equals("<init>")) {
      before = callOfConstructor(method);
      if (before == null) {
        return false;
      }
    }
    int local = method.maxLocals;
    addToFrames(method, local);
    List<AbstractInsnNode> returns = returnsBehind(method, before);
    LabelNode body = new LabelNode();
    InsnList enter = new InsnList();
    enter.add(new LdcInsnNode(number));
    enter.add(call("enter", "(I)L" + STATE + ";"));
    enter.add(new VarInsnNode(ASTORE, local));
    enter.add(body);
    if (before == null) {
      method.instructions.insert(enter);
    } else {
      method.instructions.insert(before, enter);
      InsnList start = new InsnList(); // frames before that call have the local, too
      start.add(new InsnNode(ACONST_NULL));
      start.add(new VarInsnNode(ASTORE, local));
      method.instructions.insert(start);
    }
    LabelNode handler = new LabelNode();
    LabelNode from = body;
    for (AbstractInsnNode each : returns) {
      LabelNode to = new LabelNode();
      LabelNode behind = new LabelNode();
      method.instructions.insertBefore(each, to);
      method.instructions.insertBefore(each, exit(local));
      method.instructions.insert(each, behind);
      cover(method, from, to, handler);
      from = behind;
    }
    LabelNode end = new LabelNode();
    method.instructions.add(end);
    cover(method, from, end, handler);
    if (isUsed(method, handler)) {
      addHandler(version, method, handler, local);
    }
    method.maxLocals = local + 1;
    method.maxStack = Math.max(method.maxStack + 1, 2);
    return true;
  }

  private static void addToFrames(MethodNode method, int local) {
    for (AbstractInsnNode each : method.instructions) {
      if (each instanceof FrameNode frame) {
        fill(frame.local, local);
        frame.local.add(STATE);
      }
    }
  }

  /** Fills up the locals of a frame with unknown ones; longs and doubles take two places. */
  private static void fill(List<Object> locals, int size) {
    int filled = 0;
    for (Object each : locals) {
      filled += each == LONG || each == DOUBLE ? 2 : 1;
    }
    for (; filled < size; filled++) {
      locals.add(TOP);
    }
  }

  /** The returns that the probe covers; a constructor has none before the other's call. */
  private static List<AbstractInsnNode> returnsBehind(MethodNode method, AbstractInsnNode before) {
    List<AbstractInsnNode> returns = new ArrayList<>();
    AbstractInsnNode each = before == null ? method.instructions.getFirst() : before.getNext();
    for (; each != null; each = each.getNext()) {
      if (each.getOpcode() >= IRETURN && each.getOpcode() <= RETURN) {
        returns.add(each);
      }
    }
    return returns;
  }

  private static MethodInsnNode call(String name, String descriptor) {
    return new MethodInsnNode(INVOKESTATIC, PROBES, name, descriptor, false);
  }

  private static InsnList exit(int local) {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, local));
    code.add(call("exit", "(L" + STATE + ";)V"));
    return code;
  }

  /** Has a handler cover some code, unless there are no instructions. */
  private static void cover(MethodNode method, LabelNode from, LabelNode to, LabelNode handler) {
    for (AbstractInsnNode each = from; each != to; each = each.getNext()) {
      if (each.getOpcode() >= 0) {
        method.tryCatchBlocks.add(new TryCatchBlockNode(from, to, handler, null));
        return;
      }
    }
  }

  private static boolean isUsed(MethodNode method, LabelNode handler) {
    return method.tryCatchBlocks.stream().anyMatch(block -> block.handler == handler);
  }

  private static void addHandler(int version, MethodNode method, LabelNode handler, int local) {
    method.instructions.add(handler);
    if ((version & 0xffff) >= FIRST_WITH_FRAMES) {
      List<Object> locals = new ArrayList<>();
      fill(locals, local);
      locals.add(STATE);
      Object[] stack = {"java/lang/Throwable"};
      method.instructions.add(new FrameNode(F_NEW, locals.size(), locals.toArray(), 1, stack));
    }
    method.instructions.add(exit(local));
    method.instructions.add(new InsnNode(ATHROW));
  }

  /**
   * The call by which a constructor has its object initialised: the first that belongs to no {@code
   * new}. Null if there is more than one, which compilers of Java do not make.
   */
  private static AbstractInsnNode callOfConstructor(MethodNode method) {
    AbstractInsnNode found = null;
    int pending = 0;
    for (AbstractInsnNode each : method.instructions) {
      if (each.getOpcode() == NEW) {
        pending++;
      } else if (each instanceof MethodInsnNode call
          && call.getOpcode() == INVOKESPECIAL
          && call.name.equals("<init>")) {
        if (pending > 0) {
          pending--;
        } else if (found != null) {
          return null;
        } else {
          found = each;
        }
      }
    }
    return found;
  }
}
