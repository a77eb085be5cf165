package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.DUP2;
import static org.objectweb.asm.Opcodes.DUP2_X1;
import static org.objectweb.asm.Opcodes.DUP_X2;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.POP2;

import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;

/** The receiver of a call, from below its arguments. */
final class ReceiverCopy {
  private ReceiverCopy() {}

  /**
   * Pushes the receiver of the call that comes next once more. Instructions of the stack reach
   * below two words of arguments; beyond them nothing is pushed and the answer is false.
   */
  static boolean push(InsnList code, String descriptor) {
    int words = 0;
    for (Type argument : Type.getArgumentTypes(descriptor)) {
      words += argument.getSize();
    }
    switch (words) {
      case 0 -> code.add(new InsnNode(DUP));
      case 1 -> {
        code.add(new InsnNode(DUP2));
        code.add(new InsnNode(POP));
      }
      case 2 -> { // r ab -> ab r ab -> ab r -> r ab r
        code.add(new InsnNode(DUP2_X1));
        code.add(new InsnNode(POP2));
        code.add(new InsnNode(DUP_X2));
      }
      default -> {
        return false;
      }
    }
    return true;
  }
}
