package jdk.internal.perf;

/**
 * Where things lie in the arena, in bytes, little-endian; {@code io.jvmscope.dump} reads it. What
 * only one part uses, that part says. A <em>link</em> is a distance from the arena's start in units
 * of eight bytes, 0 for none.
 */
public final class ArenaLayout {
  // The header.
  static final int MAGIC_LOW = 0x4353564A;
  static final int MAGIC_HIGH = 0x314E4557;
  static final int VERSION = 1;
  static final int STATE = 12;
  static final int EXIT_STATUS = 16;
  static final int FLAGS = 20;
  static final int TOP = 24;
  static final int LAST_ROOT = 32;
  static final int ROOT_COUNT = 40;
  static final int JAVA_VERSION = 44;
  static final int CLASS_COUNT = 48;
  static final int PROBES = 56;
  static final int PID = 64;
  static final int HEADER = 4096;

  // Flags of the header: why the recording is not the whole tree.
  static final int FOLDED = 1;
  static final int DISK_FULL = 2;
  static final int LOG_FULL = 4;
  static final int STARTED_LATE = 8;
  static final int EDGES_LOST = 16;

  // A node: its header, then counters; slots lie before it, the first one last.
  static final int MID = 0;
  static final int NEXT = 4;
  static final int PARENT = 8;
  static final int PLACE = 12;

  /** The first counter of a node. */
  public static final int COUNTERS = 16;

  /** Beside the number of the slot in {@link #PLACE}: calls of other contexts are counted here. */
  static final int FLAG_FOLDED = 1 << 16;

  // Method ids that are no methods.
  static final int SINK = -2;
  static final int ROOT = -3;
  static final int TABLE = -4;
  static final int PROXY = -5;
  static final int RECEIVERS = -6;

  // A proxy: calls over the edge, the node that it folds into, the method.
  static final int PROXY_BYTES = 32;
  static final int PROXY_COUNT = 16;
  static final int PROXY_TARGET = 24;
  static final int PROXY_METHOD = 28;

  /**
   * An empty slot k holds the link EMPTY + k: it leads into a stretch of zeros, which no method id
   * equals, and tells where the slot's node is. A link from {@link #FIRST_LINK} on is a child.
   */
  static final int EMPTY = HEADER >> 3;

  private static final int SINK_START = HEADER + (65536 << 3);

  /** A node that swallows: room for the slots and counters of any method. */
  public static final int SINK_NODE = SINK_START + (65536 << 2);

  static final int FIRST_NODE = SINK_NODE + COUNTERS + (65536 << 3);

  /** Links from this one on lead somewhere. */
  public static final int FIRST_LINK = FIRST_NODE >> 3;

  private ArenaLayout() {}
}
