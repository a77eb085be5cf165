package io.jvmscope.snippet;

/**
 * A place where a snippet may be inserted, as its guard sees it.
 *
 * @param className the class in JVM form
 * @param method the method's name
 * @param descriptor the method's descriptor
 * @param target what the instruction names, or ""
 * @param opcode the instruction's mnemonic; of a body ""
 * @param isJdk whether the class is one of the JDK
 */
public record Site(
    String className,
    String method,
    String descriptor,
    String target,
    String opcode,
    boolean isJdk) {}
