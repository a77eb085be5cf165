package io.jvmscope.probe;

import io.jvmscope.classfile.MethodPlan;

/**
 * Adds to the code of one method, at the place that a probe was asked about. A probe leaves the
 * operands of the method as they were, and takes up to eight words above them.
 */
public interface Code {
  /** Where the method's node keeps what. */
  MethodPlan plan();

  /** Is the method one of the class library? */
  boolean isJdk();

  /** Pushes the method's id. */
  void pushMethod();

  /** Pushes a number. */
  void push(int value);

  /** Pushes the distance of a slot from the node. */
  void pushSlot(int slot);

  /** Pushes the distance of a counter from the node. */
  void pushCounter(int counter);

  /** Pushes the class that declares the method, if it is hidden; false if it is not. */
  boolean pushClass();

  /** Pushes the object that the method was called on; at its entry, and of a constructor. */
  void loadThis();

  /** Pushes the exception that was caught; at the entry of a handler only. */
  void loadCaught();

  /** Pushes what was made or returned once more; right behind the instruction that did so. */
  void loadMade();

  /** Replaces an array on the stack by its length. */
  void takeLength();

  /** Pushes two operands once more, of one word each. */
  void loadTwo();

  /** Pushes the object once more that a method is called on, of two words of arguments at most. */
  void loadReceiver(String descriptor);

  /** Pushes the current thread. */
  void loadThread();

  /** Pushes the address of the method's node, two words. */
  void loadNode();

  /** Pushes the slot that the caller's call went through, two words. */
  void loadCallersSlot();

  /** Adds one to a counter of the node. */
  void count(int counter);

  /** Calls a method of the runtime. */
  void call(RuntimeMethod method);

  /** Lets the clock of the current thread go on. */
  void advanceClock(int bytecodes);
}
