package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ALOAD;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.probe.Probes;
import io.jvmscope.probe.RuntimeMethod;
import java.util.List;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Tells probes of objects that are made without a constructor, and of fields by reflection. */
final class ObjectEdits {
  private static final RuntimeMethod MADE =
      new RuntimeMethod(
          "jdk/internal/perf/ObjectProbe", "made", "(Ljava/lang/Object;)Ljava/lang/Object;");
  private static final RuntimeMethod REFLECTED =
      new RuntimeMethod(
          "jdk/internal/perf/FieldProbe", "reflected", "(Ljava/lang/Object;Ljava/lang/Object;I)V");

  private ObjectEdits() {}

  static List<ClassEdit> of(ClassFile file, Calls calls, Probes probes) {
    if (!ObjectCode.isWanted(probes.chosen())) {
      return List.of();
    }
    return switch (file.name()) {
      case "java/io/ObjectStreamClass" ->
          List.of((tree, baseId) -> tellMade(tree, "newInstance", calls));
      case "sun/misc/Unsafe" ->
          List.of((tree, baseId) -> tellMade(tree, "allocateInstance", calls));
      case "java/lang/reflect/Field" -> List.of((tree, baseId) -> tellAccesses(tree, calls));
      default -> List.of();
    };
  }

  private static void tellMade(ClassNode tree, String name, Calls calls) {
    for (MethodNode method : Bodies.named(tree, name)) {
      InsnList code = new InsnList();
      code.add(calls.call(MADE));
      Bodies.beforeReturns(method, code);
    }
  }

  private static void tellAccesses(ClassNode tree, Calls calls) {
    boolean isFound = false;
    for (MethodNode method : tree.methods) {
      boolean reads =
          method.name.startsWith("get") && method.desc.startsWith("(Ljava/lang/Object;)");
      boolean writes =
          method.name.startsWith("set") && method.desc.startsWith("(Ljava/lang/Object;");
      if (reads || writes) {
        InsnList code = new InsnList();
        code.add(new VarInsnNode(ALOAD, 0));
        code.add(new VarInsnNode(ALOAD, 1));
        code.add(Push.of(writes ? 1 : 0));
        code.add(calls.call(REFLECTED));
        Bodies.beforeReturns(method, code);
        method.maxStack += 3;
        isFound = true;
      }
    }
    if (!isFound) {
      throw Bodies.lacks(tree.name, "methods that access fields");
    }
  }
}
