package io.jvmscope.probe;

/**
 * The keys of the first rows that a method has in tables about code.
 *
 * @param block its first basic block
 * @param instruction its first instruction
 * @param codeRow its first row in the probe's own {@link CodeTable}
 */
public record FirstKeys(int block, int instruction, int codeRow) {}
