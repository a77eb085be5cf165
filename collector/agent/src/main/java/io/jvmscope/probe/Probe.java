package io.jvmscope.probe;

import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.classfile.NodeShare;
import io.jvmscope.tables.FrameWriter;
import java.io.IOException;
import java.util.Map;

/**
 * Something that is recorded beside calls and basic blocks: its share of each node, the code that
 * it inserts, and its tables. A probe is one class that says all of it, and a line in {@link
 * Probes}; what happens while the program runs is in the methods of {@code jdk.internal.perf} that
 * its code calls.
 *
 * <p>Code is asked for while a class is instrumented, at each place of a kind. A probe of another
 * kind of place, such as an access of a field, gives it a method here and a call in {@code
 * MethodInstrumenter}. What is not asked for costs the program nothing.
 */
public interface Probe extends NodeShare {
  /** No number at all. */
  int[] NOTHING = {};

  /** No word at all. */
  String[] NO_WORDS = {};

  /** No method at all. */
  RuntimeMethod[] NO_METHODS = {};

  /** The option that it is chosen by, and its name there if the value is a list of names. */
  String option();

  /** The probe as the options want it; null if they do not. */
  Probe chosenBy(Map<String, String> options);

  /** Does it change the code of classes or the layout of nodes? Else any prepared JDK serves it. */
  default boolean insertsCode() {
    return true;
  }

  // ---- the code

  /** The methods that its code calls. */
  default RuntimeMethod[] runtimeMethods() {
    return NO_METHODS;
  }

  /** At the entry of a method, whose node is known. */
  default void atEntry(Code code) {}

  /** Before an instruction that returns. */
  default void atReturn(Code code) {}

  /** Before the first instruction of an exception handler; the exception is on the stack. */
  default void atHandler(Code code, int instruction) {}

  /** Before a stretch of instructions that is counted: a basic block, or a part of one. */
  default void atSegment(Code code, int segment) {}

  /**
   * After an instruction that makes objects: {@code new} and those that make arrays; what it made
   * is on the stack.
   */
  default void atAllocation(Code code, int instruction) {}

  /** Before an instruction that calls a method; its operands are on the stack. */
  default void atCall(Code code, int instruction) {}

  /** After an instruction that calls a method; what that returned is on the stack. */
  default void atResult(Code code, int instruction) {}

  /**
   * After a virtual call of clone that may have reached the native one, which the class of the
   * receiver tells; the receiver is on the stack once more, and above it the clone.
   */
  default void atClone(Code code, int instruction) {}

  /**
   * After a virtual call of hashCode that may have reached the native one, which the class of the
   * receiver tells; the receiver is on the stack once more, and above it the hash code.
   */
  default void atHash(Code code, int instruction) {}

  /** Does it insert code at branches? */
  default boolean followsBranches() {
    return false;
  }

  /** When a conditional branch or switch, by its number in the plan, goes a way; the first is 1. */
  default void atBranch(Code code, int branch, int way) {}

  /** In the word of a field: it was written before the object was initialised. */
  long EARLY = 1L << 51;

  /** Does it insert code at fields and in constructors? Then objects have words for it. */
  default boolean followsObjects() {
    return false;
  }

  /** Does it need to know of all references? Then methods have frames off the heap. */
  default boolean followsReferences() {
    return false;
  }

  /** Before an instruction accesses a field; takes the object off the stack. */
  default void atField(Code code, int key, boolean writes) {}

  /**
   * After an object is initialised of which code may have written a field before: that was so if
   * the field's word is {@link #EARLY}; takes the object off the stack.
   */
  default void afterEarly(Code code, int key) {}

  /**
   * Before a call of {@code Unsafe} accesses a variable, of an object unless it is null or an
   * array; takes the object and the offset off the stack.
   */
  default void atVariable(Code code, boolean writes) {}

  /** What is on the stack below object and offset when a call may have written a variable. */
  enum Swap {
    /** A boolean: it has. */
    TRUE_IF_DONE,
    /** A number: 0 if it has. */
    ZERO_IF_DONE,
    /** Two references: they are the same if it has. */
    SAME_IF_DONE
  }

  /** After such a call, which wrote on a condition; takes the object, the offset and what tells. */
  default void atSwap(Code code, Swap swap) {}

  /** After a call of clone; the receiver is below the clone, which stays alone. */
  default void atClone(Code code) {}

  /** In a constructor, after it has called that of {@code Object} or of a class without words. */
  default void atBirth(Code code) {}

  /** In a constructor, after it has called another of its class, and before it ends. */
  default void atConstruction(Code code, boolean goesOn) {}

  /** Names of the words that each object gets as a whole. */
  default String[] words() {
    return NO_WORDS;
  }

  /** Does it insert code after calls of clone, and follows no fields? */
  default boolean followsClones() {
    return false;
  }

  /** Does it insert code at monitors? */
  default boolean followsMonitors() {
    return false;
  }

  /** Before an instruction enters a monitor or leaves it; takes the object off the stack. */
  default void atMonitor(Code code, int instruction, boolean enters) {}

  /** When a synchronized method begins; takes the object off the stack whose monitor it has. */
  default void atSynchronized(Code code) {}

  /** Before a synchronized method ends, by return or exception. */
  default void atSynchronizedEnd(Code code) {}

  // ---- the tables

  /** What its tables have to know of a method. */
  default int[] pack(MethodPlan plan, FirstKeys keys) {
    return NOTHING;
  }

  /** Rows of a method in its table about code. */
  default int codeRows(MethodPlan plan) {
    return 0;
  }

  /** Its table about code; null if it has none. */
  default CodeTable codeTable(FrameWriter out) throws IOException {
    return null;
  }

  /** Its tables about what ran; null if it has none. */
  default ProbeTables tables(Recording recording) throws IOException {
    return null;
  }
}
