package io.jvmscope.agent;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.probe.Probes;
import io.jvmscope.probe.RuntimeMethod;
import java.util.List;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodNode;

/** Tells probes of objects that are made without a constructor. */
final class ObjectEdits {
  private static final RuntimeMethod MADE =
      new RuntimeMethod(
          "jdk/internal/perf/ObjectProbe", "made", "(Ljava/lang/Object;)Ljava/lang/Object;");

  private ObjectEdits() {}

  static List<ClassEdit> of(ClassFile file, Calls calls, Probes probes) {
    if (!ObjectCode.isWanted(probes.chosen())) {
      return List.of();
    }
    return switch (file.name()) {
      case "java/io/ObjectStreamClass" ->
          List.of((tree, baseId) -> tellMade(tree, "newInstance", calls));
      case "jdk/internal/reflect/BootstrapConstructorAccessorImpl" -> // until JDK 21
          List.of((tree, baseId) -> tellMade(tree, "newInstance", calls));
      case "sun/misc/Unsafe" ->
          List.of((tree, baseId) -> tellMade(tree, "allocateInstance", calls));
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
}
