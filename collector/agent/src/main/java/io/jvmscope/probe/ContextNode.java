package io.jvmscope.probe;

/**
 * The context that is written now. One object serves all, one after the other: a walk over a
 * hundred million contexts makes none.
 */
public final class ContextNode {
  /** Key of the context. */
  public int id;

  /** Address of its node in the arena. */
  public long address;

  /** The agent's number of its method. */
  public int method;

  /** Bytecodes that it executed, by its blocks; a probe that counts finer corrects it. */
  public long bytecodes;

  /** Was it called through a site where the receiver's class decides? */
  public boolean isDispatched;
}
