package io.jvmscope.probe;

import io.jvmscope.arena.ThreadRoot;
import java.io.IOException;

/** The tables of a probe, filled while the dump walks over the trees, thread by thread. */
public interface ProbeTables {
  /** Writes what is known of a thread's root, before its contexts. */
  default void open(ThreadRoot root, int contextId) throws IOException {}

  /** Writes what is known of a context, in the order of table {@code context}. */
  default void write(ContextNode context) throws IOException {}

  /** Writes what is known of a thread; all of its contexts came before. */
  default void write(ThreadRoot root, int threadId) throws IOException {}

  void finish() throws IOException;
}
