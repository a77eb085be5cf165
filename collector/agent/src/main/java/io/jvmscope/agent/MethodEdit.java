package io.jvmscope.agent;

import io.jvmscope.classfile.ClassFile;
import org.objectweb.asm.tree.MethodNode;

/** A change to the methods of a class that is left out, each of which may do without it. */
interface MethodEdit {
  /** Changes a method in place, if it is one that the edit is about. */
  void apply(ClassFile.Method method, MethodNode node);
}
