package io.jvmscope.study;

/**
 * What the static probes call: Listing 2 of the paper. Loaded by the boot loader, so that every
 * class can name it.
 *
 * <p>The paper counts the depth of a recursion. Here the outermost invocation has its state in a
 * local variable, the others have null there: what the stack is too short for leaves no wrong
 * depth.
 */
public final class StaticProbes {
  private StaticProbes() {}

  /**
   * Begins an invocation; returns null within another one of the same method. The last thing it
   * does is to mark the invocation, so that a thread whose stack is full here has nothing to undo.
   */
  public static MethodState enter(int method) {
    long now = System.nanoTime(); // close to what a dynamic probe takes for the entry
    MethodState state = ThreadState.current().of(method);
    if (state == null || state.isActive) {
      return null;
    }
    state.entry = now;
    state.isActive = true;
    return state;
  }

  /** Ends an invocation, whether it returns or throws. */
  public static void exit(MethodState state) {
    if (state != null) {
      state.isActive = false; // first: a call may find no room on the stack
      state.end();
    }
  }
}
