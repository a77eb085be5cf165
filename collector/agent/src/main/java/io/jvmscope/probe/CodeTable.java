package io.jvmscope.probe;

import io.jvmscope.classfile.MethodPlan;
import java.io.IOException;

/** A table of a probe about the code of methods, whatever ran of it; its key counts the rows. */
public interface CodeTable {
  /**
   * Writes the rows of a method, as many as {@link Probe#codeRows} says.
   *
   * @param firstBlock key of the method's first basic block
   * @param firstInstruction key of its first instruction
   */
  void write(MethodPlan plan, int firstBlock, int firstInstruction) throws IOException;

  void finish() throws IOException;
}
