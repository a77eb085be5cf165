package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ACC_TRANSIENT;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ARETURN;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.ICONST_0;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.PUTSTATIC;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** What counting needs of the VM's start and end, and of classes that the VM makes early. */
final class VmEdits {
  private VmEdits() {}

  static List<ClassEdit> of(String className) {
    return switch (className) {
      case "java/lang/Thread" -> List.of(ThreadEdit::apply, ThreadEdit::widenStack);
      case "java/lang/VirtualThread" -> List.of(ThreadEdit::tellVirtualEnd);
      case "java/lang/Object" -> List.of(ObjectEdit::apply);
      case "java/lang/Class" -> List.of(VmEdits::editClass);
      case "java/lang/Shutdown" -> List.of(VmEdits::tellOfEnd);
      case "java/lang/ThreadGroup" -> List.of(VmEdits::assumeNoAssertions);
      case "java/lang/ref/Reference" -> List.of(VmEdits::settleRaces);
      case "jdk/internal/misc/UnsafeConstants" -> List.of(VmEdits::fixConstants);
      default -> List.of();
    };
  }

  /**
   * A class knows whether it overrides hashCode, the number that receivers are counted by, and
   * where its objects have their words.
   */
  static void editClass(ClassNode tree, int baseId) {
    int access = ACC_PUBLIC | ACC_TRANSIENT | ACC_SYNTHETIC;
    tree.fields.add(Bodies.lastField(access, "jvmscope$id", "I"));
    tree.fields.add(Bodies.lastField(access, "jvmscope$shadow", "I"));
    tree.fields.add(Bodies.lastField(access, "jvmscope$early", "I"));
    tree.methods.add(filtered("getDeclaredFields0", "visibleFields", "Field"));
    tree.methods.add(filtered("getDeclaredMethods0", "visibleMethods", "Method"));
  }

  /** What a program gets that calls one of the natives behind reflection past its filters. */
  private static MethodNode filtered(String name, String filter, String type) {
    String array = "[Ljava/lang/reflect/" + type + ";";
    int access = ACC_PRIVATE | ACC_SYNTHETIC;
    MethodNode method = new MethodNode(access, Calls.PREFIX + name, "(Z)" + array, null, null);
    method.visitAnnotation("Ljdk/internal/vm/annotation/Hidden;", true);
    method.instructions.add(new VarInsnNode(ALOAD, 0));
    method.instructions.add(new InsnNode(DUP));
    method.instructions.add(new VarInsnNode(ILOAD, 1));
    String owner = "java/lang/Class";
    method.instructions.add(new MethodInsnNode(INVOKEVIRTUAL, owner, name, "(Z)" + array, false));
    String descriptor = "(Ljava/lang/Class;" + array + ")" + array;
    method.instructions.add(Bodies.call(RuntimeClasses.DISGUISE, filter, descriptor));
    method.instructions.add(new InsnNode(ARETURN));
    method.maxLocals = 2;
    method.maxStack = 3;
    return method;
  }

  /**
   * The VM writes these constants some steps after the first thread runs, but counting needs
   * Unsafe, which keeps copies, from its first method on: so the class has them from the start.
   */
  static void fixConstants(ClassNode tree, int baseId) {
    MethodNode method = Bodies.find(tree, "<clinit>", "()V");
    Set<String> missing = new TreeSet<>(Platform.CONSTANTS);
    for (AbstractInsnNode i : method.instructions.toArray()) {
      if (i instanceof FieldInsnNode field && field.getOpcode() == PUTSTATIC) {
        Integer value = Platform.constant(field.name);
        missing.remove(field.name);
        if (value != null) {
          InsnList code = new InsnList();
          code.add(new InsnNode(POP));
          code.add(Push.of(value));
          method.instructions.insertBefore(i, code);
        }
      }
    }
    if (!missing.isEmpty()) {
      throw Bodies.lacks(tree.name, "the constants " + missing);
    }
  }

  /** Since 19 the initialiser asks its class whether to assert, before there is a thread to ask. */
  static void assumeNoAssertions(ClassNode tree, int baseId) {
    for (MethodNode method : tree.methods) {
      for (AbstractInsnNode i : method.instructions.toArray()) {
        if (i instanceof MethodInsnNode call && call.name.equals("desiredAssertionStatus")) {
          method.instructions.insertBefore(i, new InsnNode(POP));
          method.instructions.set(i, new InsnNode(ICONST_0));
        }
      }
    }
  }

  /** The VM ends in one of two ways. */
  static void tellOfEnd(ClassNode tree, int baseId) {
    InsnList halt = new InsnList();
    halt.add(new VarInsnNode(ILOAD, 0));
    halt.add(Bodies.call(RuntimeClasses.ARENA_HEADER, "halting", "(I)V"));
    Bodies.find(tree, "halt", "(I)V").instructions.insert(halt);
    InsnList shutdown = new InsnList();
    shutdown.add(Bodies.call(RuntimeClasses.ARENA_HEADER, "shuttingDown", "()V"));
    Bodies.find(tree, "shutdown", "()V").instructions.insert(shutdown);
  }

  /** The first threads of the VM race with main for the initialisers of classes that both use. */
  static void settleRaces(ClassNode tree, int baseId) {
    InsnList code = new InsnList();
    code.add(Bodies.call(RuntimeClasses.THREAD_SLOT, "settleRaces", "()V"));
    Bodies.find(tree, "<clinit>", "()V").instructions.insert(code);
  }
}
