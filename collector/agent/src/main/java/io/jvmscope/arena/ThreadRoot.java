package io.jvmscope.arena;

import static jdk.internal.perf.ArenaLayout.DAEMON;
import static jdk.internal.perf.ArenaLayout.VM_INTERNAL;

/**
 * The root of a thread's tree. Its slot 0 holds the methods with which the thread began, its slot 1
 * one node a method for the contexts that found no room; the dump joins them. Slot 2 leads to the
 * cells of the thread's methods: what their sites and branches did last.
 *
 * @param address of the root's node in the arena
 * @param startOrder number in the order of first execution
 * @param kind 0 platform, 1 virtual
 * @param tid {@code Thread.threadId()}
 * @param flags 1 internal to the VM, 2 daemon
 */
public record ThreadRoot(long address, String name, int startOrder, int kind, long tid, int flags) {
  public boolean isVmInternal() {
    return (flags & VM_INTERNAL) != 0;
  }

  public boolean isDaemon() {
    return (flags & DAEMON) != 0;
  }
}
