package io.jvmscope.agent;

import io.jvmscope.classfile.ClassFile;
import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Makes the method named by {@code --from} start the recording when it is entered. */
final class StartEdit implements ClassEdit {
  private final String named; // a name, or a name and a descriptor

  private StartEdit(String named) {
    this.named = named;
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
    return List.of(new StartEdit(from.substring(dot + 1)));
  }

  /**
   * Is it about a method? Kotlin and Scala have names with parentheses, such as {@code f (all)}.
   */
  boolean isAbout(String name, String descriptor) {
    if (!named.startsWith(name)) {
      return false;
    }
    String rest = named.substring(name.length());
    return rest.isEmpty() || rest.replace('.', '/').equals(descriptor);
  }

  @Override
  public void apply(ClassNode tree, int baseId) {
    for (MethodNode method : tree.methods) {
      if (isAbout(method.name, method.desc)) {
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
