package io.jvmscope.agent;

import static jdk.internal.perf.ArenaLayout.FIRST_IS_OBJECT;
import static org.objectweb.asm.Opcodes.AASTORE;
import static org.objectweb.asm.Opcodes.ACONST_NULL;
import static org.objectweb.asm.Opcodes.ANEWARRAY;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.ICONST_0;
import static org.objectweb.asm.Opcodes.ICONST_2;
import static org.objectweb.asm.Opcodes.POP2;
import static org.objectweb.asm.Opcodes.SWAP;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Gives calls of {@code Counter.add} with at most two keys a form without an array and without
 * boxes, which would be most of what a snippet costs. Each key becomes an int and an object, one of
 * them empty; {@code SnippetCounter} and {@code EndApi} have the method. A call whose keys branch,
 * or make objects, stays as it is.
 */
final class FewKeys {
  private static final String COUNTER = "io/jvmscope/snippet/Counter";
  private static final String CONTEXT = "Lio/jvmscope/snippet/Context;";
  private static final String OBJECT = "Ljava/lang/Object;";
  private static final String FEW = "(" + CONTEXT + "JI" + OBJECT + "I" + OBJECT + "I)V";
  private static final String ADD = "(" + CONTEXT + "J[" + OBJECT + ")V";

  /** A key: where the array's element begins and where it is stored, and the box of an int. */
  private record Key(
      AbstractInsnNode dup, AbstractInsnNode index, AbstractInsnNode box, AbstractInsnNode store) {}

  private FewKeys() {}

  static void apply(ClassNode tree) {
    for (MethodNode method : tree.methods) {
      boolean isChanged = false;
      for (AbstractInsnNode i : method.instructions.toArray()) {
        isChanged |= i.getOpcode() == ANEWARRAY && change(method.instructions, (TypeInsnNode) i);
      }
      method.maxStack += isChanged ? 4 : 0;
    }
  }

  private static boolean change(InsnList code, TypeInsnNode array) {
    AbstractInsnNode length = array.getPrevious();
    int count = length == null ? -1 : length.getOpcode() - ICONST_0;
    if (count < 0 || count > ICONST_2 - ICONST_0 || !array.desc.equals("java/lang/Object")) {
      return false;
    }
    List<Key> keys = new ArrayList<>();
    AbstractInsnNode at = array;
    for (int k = 0; k < count && at != null; k++) {
      Key key = key(at, k);
      keys.add(key);
      at = key == null ? null : key.store;
    }
    if (at == null || !(next(at) instanceof MethodInsnNode call) || !isAdd(call)) {
      return false;
    }
    int form = count;
    for (int k = 0; k < count; k++) {
      form |= keys.get(k).box == null ? FIRST_IS_OBJECT << k : 0;
      replace(code, keys.get(k));
    }
    for (int k = count; k < 2; k++) {
      code.insertBefore(call, new InsnNode(ICONST_0));
      code.insertBefore(call, new InsnNode(ACONST_NULL));
    }
    code.insertBefore(call, Push.of(form));
    code.remove(length);
    code.remove(array);
    call.desc = FEW;
    return true;
  }

  private static boolean isAdd(MethodInsnNode call) {
    return call.owner.equals(COUNTER) && call.name.equals("add") && call.desc.equals(ADD);
  }

  private static void replace(InsnList code, Key key) {
    code.remove(key.dup);
    code.remove(key.index);
    if (key.box != null) {
      code.remove(key.box);
      code.set(key.store, new InsnNode(ACONST_NULL));
    } else {
      code.insertBefore(key.store, new InsnNode(ICONST_0));
      code.set(key.store, new InsnNode(SWAP));
    }
  }

  /** The key that an array has at an index, behind an instruction; null: not of this shape. */
  private static Key key(AbstractInsnNode before, int k) {
    AbstractInsnNode dup = next(before);
    AbstractInsnNode index = dup == null ? null : next(dup);
    if (index == null || dup.getOpcode() != DUP || index.getOpcode() != ICONST_0 + k) {
      return null;
    }
    int depth = 0; // values of the key on the stack
    AbstractInsnNode last = null;
    for (AbstractInsnNode i = next(index); i != null && isStraight(i); i = next(i)) {
      if (i.getOpcode() == AASTORE && depth == 1) {
        return new Key(dup, index, isBox(last) ? last : null, i);
      }
      depth -= StackEffect.taken(i);
      if (depth < 0) {
        return null;
      }
      depth += StackEffect.left(i) == StackEffect.NOTHING ? 0 : 1;
      last = i;
    }
    return null;
  }

  private static boolean isBox(AbstractInsnNode i) {
    return i instanceof MethodInsnNode call
        && call.owner.equals("java/lang/Integer")
        && call.name.equals("valueOf")
        && call.desc.equals("(I)Ljava/lang/Integer;");
  }

  /** Does what follows always run next, and does the instruction not just move values? */
  private static boolean isStraight(AbstractInsnNode i) {
    int opcode = i.getOpcode();
    return opcode >= 0 && !Ways.isBranch(i) && (opcode < POP2 || opcode > SWAP);
  }

  /** What follows, but for line numbers and their labels; a frame is where branches meet. */
  private static AbstractInsnNode next(AbstractInsnNode i) {
    AbstractInsnNode next = i.getNext();
    while (next instanceof LabelNode || next instanceof LineNumberNode) {
      next = next.getNext();
    }
    return next;
  }
}
