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
  private static final RuntimeMethod MADE = told("made");
  private static final RuntimeMethod ALLOCATED = told("allocated");

  private ObjectEdits() {}

  static List<ClassEdit> of(ClassFile file, Calls calls, Probes probes) {
    if (!ObjectCode.isWanted(probes.chosen())) {
      return List.of();
    }
    return switch (file.name()) {
      case "java/lang/reflect/Constructor" -> // one for serialisation runs that of a superclass
          List.of((tree, baseId) -> tell(tree, "newInstanceWithCaller", calls, MADE));
      case "java/io/ObjectStreamClass" ->
          List.of((tree, baseId) -> tell(tree, "newInstance", calls, MADE));
      case "jdk/internal/reflect/BootstrapConstructorAccessorImpl" -> // until JDK 21
          List.of((tree, baseId) -> tell(tree, "newInstance", calls, MADE));
      case "sun/misc/Unsafe" ->
          List.of((tree, baseId) -> tell(tree, "allocateInstance", calls, MADE));
      case "java/lang/invoke/DirectMethodHandle" ->
          List.of((tree, baseId) -> tell(tree, "allocateInstance", calls, ALLOCATED));
      default -> List.of();
    };
  }

  private static RuntimeMethod told(String name) {
    return new RuntimeMethod(
        "jdk/internal/perf/ObjectProbe", name, "(Ljava/lang/Object;)Ljava/lang/Object;");
  }

  private static void tell(ClassNode tree, String name, Calls calls, RuntimeMethod what) {
    for (MethodNode method : Bodies.named(tree, name)) {
      InsnList code = new InsnList();
      code.add(calls.call(what));
      Bodies.beforeReturns(method, code);
    }
  }
}
