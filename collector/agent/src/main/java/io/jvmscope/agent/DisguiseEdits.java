package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASTORE;

import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Keeps what the recording adds from the program's sight. */
final class DisguiseEdits {
  private DisguiseEdits() {}

  /** The boot layer comes from the image, ready, as without the recording's module options. */
  static void hideModuleOptions(ClassNode tree, int baseId) {
    Bodies.find(tree, "initModulePatcher", "()Ljdk/internal/module/ModulePatcher;")
        .instructions
        .insert(Bodies.call(RuntimeClasses.MODULE_OPTIONS, "hide", "()V"));
  }

  /** Reflection must not show the fields added to Thread and Class, nor prefixed natives. */
  static void hideMembers(ClassNode tree, int baseId) {
    filter(tree, "filterFields", "visibleFields", "Field");
    filter(tree, "filterMethods", "visibleMethods", "Method");
  }

  private static void filter(ClassNode tree, String name, String filter, String type) {
    String array = "[Ljava/lang/reflect/" + type + ";";
    String descriptor = "(Ljava/lang/Class;" + array + ")" + array;
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(new VarInsnNode(ALOAD, 1));
    code.add(Bodies.call(RuntimeClasses.DISGUISE, filter, descriptor));
    code.add(new VarInsnNode(ASTORE, 1));
    MethodNode method = Bodies.find(tree, name, descriptor);
    method.instructions.insert(code);
    method.maxStack += 2;
  }

  /** Stack traces must not show the methods that wrap natives. */
  static void hideFrames(ClassNode tree, int baseId) {
    String array = "[Ljava/lang/StackTraceElement;";
    for (MethodNode method : Bodies.named(tree, "of")) {
      if (method.desc.endsWith(array)) {
        InsnList code = new InsnList();
        code.add(Bodies.call(RuntimeClasses.DISGUISE, "visibleFrames", "(" + array + ")" + array));
        Bodies.beforeReturns(method, code);
      }
    }
  }
}
