package io.jvmscope.snippet;

/** What is known of a place before it runs; texts are in JVM form. */
public enum Fact {
  /** The class. */
  CLASS,
  /** The method's name. */
  METHOD,
  /** The method's descriptor. */
  DESCRIPTOR,
  /** What the instruction names: {@code CLASS.METHOD(…)…}, {@code CLASS.FIELD}, or a type. */
  TARGET,
  /** The instruction's mnemonic; of a body "". */
  OPCODE
}
