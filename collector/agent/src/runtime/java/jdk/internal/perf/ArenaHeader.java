package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.ARRAY_BASE;
import static jdk.internal.perf.ArenaLayout.CONTENDED_PADDING;
import static jdk.internal.perf.ArenaLayout.EXIT_STATUS;
import static jdk.internal.perf.ArenaLayout.FLAGS;
import static jdk.internal.perf.ArenaLayout.HALTED;
import static jdk.internal.perf.ArenaLayout.JAVA_VERSION;
import static jdk.internal.perf.ArenaLayout.LAYOUT_FLAGS;
import static jdk.internal.perf.ArenaLayout.LOG_FULL;
import static jdk.internal.perf.ArenaLayout.OBJECT_ALIGNMENT;
import static jdk.internal.perf.ArenaLayout.PID;
import static jdk.internal.perf.ArenaLayout.PROBES;
import static jdk.internal.perf.ArenaLayout.REFERENCE_BYTES;
import static jdk.internal.perf.ArenaLayout.RUNNING;
import static jdk.internal.perf.ArenaLayout.SHUT_DOWN;
import static jdk.internal.perf.ArenaLayout.STATE;
import static jdk.internal.perf.ArenaLayout.WITHOUT_ROOM;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/** What the arena says of the whole recording: what it lacks, and how the VM ended. */
public final class ArenaHeader {
  private static final Unsafe U = Unsafe.getUnsafe();

  private ArenaHeader() {}

  /** Has a flag been raised? */
  @Hidden
  static boolean isRaised(int flag) {
    return (U.getInt(null, Arena.base + FLAGS) & flag) != 0;
  }

  /** Raises a flag. */
  @Hidden
  static void raise(int flag) {
    long at = Arena.base + FLAGS;
    int flags;
    do {
      flags = U.getInt(null, at);
    } while ((flags & flag) == 0 && !U.compareAndSetInt(null, at, flags, flags | flag));
  }

  /** There is no room for what is known of a class or an object, so something is not counted. */
  @Hidden
  static void countWithoutRoom() {
    ObjectUse.add(Arena.base + WITHOUT_ROOM, 1L);
  }

  /** The class log could not be written; classes are missing from it. */
  public static void logFailed() {
    raise(LOG_FULL);
  }

  /** Writes what a reader of the file alone must know. */
  public static void describe(int javaVersion, long pid, int probes) {
    U.putInt(null, Arena.base + JAVA_VERSION, javaVersion);
    U.putInt(null, Arena.base + PROBES, probes);
    U.putLong(null, Arena.base + PID, pid);
  }

  /** Writes how the VM lays out objects. */
  public static void describeObjects(
      int alignment, int arrayBase, int referenceBytes, int contendedPadding, int flags) {
    U.putInt(null, Arena.base + ARRAY_BASE, arrayBase);
    U.putInt(null, Arena.base + REFERENCE_BYTES, referenceBytes);
    U.putInt(null, Arena.base + CONTENDED_PADDING, contendedPadding);
    U.putInt(null, Arena.base + LAYOUT_FLAGS, flags);
    U.putInt(null, Arena.base + OBJECT_ALIGNMENT, alignment);
  }

  /** The VM is about to end by {@code halt}; so do exit and signals. */
  @Hidden
  public static void halting(int status) {
    U.putInt(null, Arena.base + EXIT_STATUS, status);
    U.putInt(null, Arena.base + STATE, HALTED);
    AgentPort.tellEnd();
  }

  /** The VM is about to end because the last thread has. */
  @Hidden
  public static void shuttingDown() {
    if (U.getInt(null, Arena.base + STATE) == RUNNING) {
      U.putInt(null, Arena.base + STATE, SHUT_DOWN);
    }
    AgentPort.tellEnd();
  }
}
