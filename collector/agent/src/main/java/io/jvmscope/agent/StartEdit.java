package io.jvmscope.agent;

import io.jvmscope.classfile.ClassFile;
import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Makes the method named by {@code --from} start the recording when it is entered. */
final class StartEdit implements ClassEdit {
  private final String name;
  private final String descriptor;

  private StartEdit(String name, String descriptor) {
    this.name = name;
    this.descriptor = descriptor;
  }

  /** The edit, if the class declares the method; {@code from} may be null. */
  static List<ClassEdit> of(String from, ClassFile file) {
    if (from == null) {
      return List.of();
    }
    int end = from.indexOf('(') < 0 ? from.length() : from.indexOf('(');
    int dot = from.lastIndexOf('.', end);
    if (dot < 0 || !from.substring(0, dot).equals(file.name().replace('/', '.'))) {
      return List.of();
    }
    String name = from.substring(dot + 1, end);
    String descriptor = from.substring(end).replace('.', '/');
    return List.of(new StartEdit(name, descriptor));
  }

  @Override
  public void apply(ClassNode tree, int baseId) {
    for (MethodNode method : tree.methods) {
      boolean isNamed =
          method.name.equals(name) && (descriptor.isEmpty() || method.desc.equals(descriptor));
      if (isNamed) {
        startIn(method);
      }
    }
  }

  /** The prologue looks the node up by slot, id and shape: the slot becomes the root's. */
  private static void startIn(MethodNode method) {
    for (AbstractInsnNode i : method.instructions.toArray()) {
      if (i instanceof MethodInsnNode call && call.name.equals(Calls.Entry.ENTER.hiddenName())) {
        AbstractInsnNode id = i.getPrevious().getPrevious();
        method.instructions.insertBefore(id, Calls.THROUGH_OBJECT.call(Calls.Entry.START));
        return;
      }
    }
  }
}
