package io.jvmscope.snippet;

/** A kind of place in the code of methods. */
public enum Point {
  /** The whole method. */
  BODY,
  /** A basic block. After it means before the jump or return that it ends with. */
  BLOCK,
  /** An instruction that calls a method. */
  CALL,
  /** An instruction that reads a field. */
  FIELD_READ,
  /** An instruction that writes a field; its argument is the value. */
  FIELD_WRITE,
  /** An instruction that reads an element; the receiver is the array, the argument the index. */
  ARRAY_READ,
  /** An instruction that writes an element; the arguments are the index and the value. */
  ARRAY_WRITE,
  /** An instruction that makes an object or arrays; the arguments are lengths. */
  ALLOCATION,
  /** An instruction that enters a monitor; synchronized methods have none. */
  MONITOR_ENTER,
  /** An instruction that leaves a monitor. */
  MONITOR_EXIT,
  /** The first instruction of an exception handler; before it only. */
  HANDLER
}
