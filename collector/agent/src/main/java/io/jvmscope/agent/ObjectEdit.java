package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.LLOAD;

import io.jvmscope.probe.RuntimeMethod;
import io.jvmscope.probe.Snippet;
import io.jvmscope.probe.Snippets;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Gives {@code Object} static methods that lead to {@link RuntimeClasses}; see {@link Calls}. */
final class ObjectEdit {
  private ObjectEdit() {}

  /** Object gets the methods that instrumented code outside java.base calls. */
  static void apply(ClassNode tree, int baseId) {
    for (RuntimeMethod target : Calls.runtimeMethods()) {
      lead(tree, target);
    }
    MethodNode thread = inlined(Calls.PREFIX + "thread", "()Ljava/lang/Thread;");
    thread.instructions.add(Calls.DIRECT.currentThread());
    finish(tree, thread, 0);
    MethodNode get = inlined(Calls.PREFIX + "slot", "(Ljava/lang/Thread;)J");
    get.instructions.add(new VarInsnNode(ALOAD, 0));
    get.instructions.add(Calls.DIRECT.getSlot());
    finish(tree, get, 1);
    MethodNode set = inlined(Calls.PREFIX + "setSlot", "(Ljava/lang/Thread;J)V");
    set.instructions.add(new VarInsnNode(ALOAD, 0));
    set.instructions.add(new VarInsnNode(LLOAD, 1));
    set.instructions.add(Calls.DIRECT.setSlot());
    finish(tree, set, 3);
  }

  /** It gets those that call the snippets of a probe, too. */
  static void applySnippets(ClassNode tree, Snippets probe) {
    for (Snippet snippet : probe.snippets()) {
      if (!snippet.isAtEnd()) {
        lead(tree, snippet.entry());
      }
    }
  }

  private static void lead(ClassNode tree, RuntimeMethod target) {
    MethodNode method = inlined(Calls.hiddenName(target), target.descriptor());
    int local = 0;
    for (Type type : Type.getArgumentTypes(target.descriptor())) {
      method.instructions.add(new VarInsnNode(type.getOpcode(ILOAD), local));
      local += type.getSize();
    }
    method.instructions.add(Calls.DIRECT.call(target));
    finish(tree, method, local);
  }

  /** A method of Object that is compiled where it is called, and shown by no stack trace. */
  static MethodNode inlined(String name, String descriptor) {
    int access = ACC_PUBLIC | ACC_STATIC | ACC_SYNTHETIC;
    MethodNode method = new MethodNode(access, name, descriptor, null, null);
    method.visitAnnotation("Ljdk/internal/vm/annotation/ForceInline;", true);
    method.visitAnnotation("Ljdk/internal/vm/annotation/Hidden;", true);
    return method;
  }

  private static void finish(ClassNode tree, MethodNode method, int locals) {
    int opcode = Type.getReturnType(method.desc).getOpcode(IRETURN);
    method.instructions.add(new InsnNode(opcode));
    method.maxLocals = locals;
    method.maxStack = Math.max(locals, 2);
    tree.methods.add(method);
  }
}
