package io.jvmscope.agent;

import org.objectweb.asm.tree.ClassNode;

/** A change to one class of the JDK beyond counting; {@link JdkEdits} has them all. */
@FunctionalInterface
public interface ClassEdit {
  /**
   * Changes a class in place.
   *
   * @param baseId id of the class's first method
   */
  void apply(ClassNode tree, int baseId);
}
