package io.jvmscope.probe;

import java.util.function.ToIntFunction;

/**
 * The keys of the first rows that a method has in tables about code.
 *
 * @param block its first basic block
 * @param instruction its first instruction
 * @param codeRow its first row in the probe's own {@link CodeTable}
 * @param types numbers, among the recording's {@link ObjectTypes}, by what names a type in its
 *     class
 */
public record FirstKeys(int block, int instruction, int codeRow, ToIntFunction<String> types) {}
