package io.jvmscope.agent;

import io.jvmscope.agent.Calls.Entry;
import io.jvmscope.classfile.MethodPlan;
import org.objectweb.asm.tree.InsnList;

/**
 * The pieces of code that tell a simulated method cache of the calls, returns and catches of one
 * method; none where no cache is simulated.
 */
final class CacheCode {
  private final int id;
  private final int counter;
  private final int shape; // blocks of the method in the upper 16 bits, of the cache in the lower
  private final boolean keepsSlot;
  private final Calls calls;
  private final CountingLocals locals;
  private final CountingCode counting;

  /**
   * Makes the code of a method.
   *
   * @param keepsSlot whether the caller's slot is in a local; if not, it is the thread's all along
   */
  CacheCode(
      MethodPlan plan, int id, boolean keepsSlot, Calls calls, CountingLocals locals) {
    this.id = id;
    this.counter = plan.cacheCounter();
    this.shape = plan.cacheShape();
    this.keepsSlot = keepsSlot;
    this.calls = calls;
    this.locals = locals;
    this.counting = new CountingCode(calls, locals);
  }

  /** The method was entered. */
  void addCall(InsnList code) {
    add(code, Entry.CACHE_CALL);
  }

  /** An exception handler of the method was entered. */
  void addCatch(InsnList code) {
    add(code, Entry.CACHE_CATCH);
  }

  /** The method is about to return. */
  void addReturn(InsnList code) {
    if (counter < 0) {
      return;
    }
    counting.loadPlace(code);
    if (keepsSlot) {
      code.add(locals.loadSlot());
    } else {
      code.add(locals.loadThread());
      code.add(calls.getSlot());
    }
    code.add(Push.of(shape & 0xFFFF));
    counting.pushDistance(code, counter);
    code.add(calls.call(Entry.CACHE_RETURN));
  }

  private void add(InsnList code, Entry entry) {
    if (counter < 0) {
      return;
    }
    counting.loadPlace(code);
    code.add(Push.of(id));
    code.add(Push.of(shape));
    counting.pushDistance(code, counter);
    code.add(calls.call(entry));
  }
}
