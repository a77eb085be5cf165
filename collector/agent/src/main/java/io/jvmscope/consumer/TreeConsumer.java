package io.jvmscope.consumer;

/**
 * Looks at the calling context trees of a program while it is recorded: {@code jvmscope record
 * --consumer CLASS}. The class has a public constructor without parameters; one object of it serves
 * a VM.
 *
 * <p>What a consumer does is not recorded. If it throws, that is reported, it is not called again,
 * and the program goes on.
 */
public interface TreeConsumer {
  /**
   * A thread has executed as many bytecodes again as {@code --consumer-every} says, and is about to
   * execute a basic block of the program. Called by the thread itself, at the same places in every
   * run of a deterministic program; several threads may call at once.
   *
   * @param root of the thread's tree; it and all below it may be read until this returns
   */
  void accept(TreeNode root) throws Exception;

  /** The VM ends; threads of the program may still run. */
  default void end() throws Exception {}
}
