package io.jvmscope.classfile;

/**
 * What is recorded beside calls and basic blocks. It changes the code that is inserted and the
 * layout of nodes, so that a prepared JDK serves one combination.
 *
 * @param exactExceptions count every stretch of instructions between two that may throw
 * @param receivers count calls by the class of the receiver
 * @param order keep, per thread and site, what the last call or branch did
 * @param cache the method cache to simulate; null: none
 * @param ticks count the bytecodes of each thread, for a consumer of its tree
 * @param steps add the bytecodes of each thread to its logical clock
 */
public record Probes(
    boolean exactExceptions,
    boolean receivers,
    boolean order,
    CacheShape cache,
    boolean ticks,
    boolean steps) {
  /** Calls and basic blocks only. */
  public static final Probes NONE = new Probes(false, false, false, null, false, false);
}
