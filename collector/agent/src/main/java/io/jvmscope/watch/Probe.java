package io.jvmscope.watch;

import java.util.List;

/**
 * What the watcher asked for: the methods, and the condition.
 *
 * @param id its number
 * @param pattern the methods
 * @param names the names that the text gives the parameters, "" for none; null: it has no list
 * @param condition null: every invocation counts
 * @param literals what the condition compares with, which the inserted code takes from here
 * @param hasCallers whether callers are found
 * @param hasSamples whether each invocation is told
 */
record Probe(
    int id,
    MethodPattern pattern,
    List<String> names,
    Expression condition,
    Literals literals,
    boolean hasCallers,
    boolean hasSamples) {}
