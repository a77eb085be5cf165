package jdk.internal.perf;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/** Counts what exception handlers catch, by class: chains of counts as of receivers. */
public final class HandlerProbe {
  private HandlerProbe() {}

  /**
   * Counts an execution of a handler. Where the stack has overflowed there may be no room for more
   * calls: then the handler goes on all the same, and is not counted.
   *
   * @param distance of the handler's slot from the node
   */
  @ForceInline
  @Hidden
  public static void caught(Object exception, long node, int distance) {
    try {
      ReceiverProbe.receive(exception, node, distance);
    } catch (StackOverflowError e) {
      return;
    }
  }
}
