package io.jvmscope.consumer;

import java.util.List;

/**
 * A node of a growing tree, which is a calling context: a method, called from a call site of the
 * method of the context above. The root stands for a thread and has no method.
 *
 * <p>Calls that the VM makes by itself may stand below the call site that was executed then; calls
 * that were folded into another context are not shown.
 */
public interface TreeNode {
  /** The context of the caller; null for the root. */
  TreeNode parent();

  /** The method's class in JVM form, as {@code java/lang/String}; null for the root. */
  String className();

  /** The method's name; null for the root. */
  String methodName();

  /** The method's descriptor; null for the root. */
  String descriptor();

  /** Calls of the method in this context so far; 0 for the root. */
  long calls();

  /** Bytecodes that the method itself executed in this context so far, those of a block at once. */
  long bytecodes();

  /** The contexts that it called, by call site. */
  List<TreeNode> children();
}
