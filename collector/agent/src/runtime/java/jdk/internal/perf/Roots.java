package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.EMPTY;
import static jdk.internal.perf.ArenaLayout.FIRST_NODE;
import static jdk.internal.perf.ArenaLayout.HEADER_BYTES;
import static jdk.internal.perf.ArenaLayout.LAST_ROOT;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.ROOT;
import static jdk.internal.perf.ArenaLayout.ROOT_CACHE_SLOT;
import static jdk.internal.perf.ArenaLayout.ROOT_CELLS_SLOT;
import static jdk.internal.perf.ArenaLayout.ROOT_COUNT;
import static jdk.internal.perf.ArenaLayout.ROOT_NAME;
import static jdk.internal.perf.ArenaLayout.ROOT_NAME_MOST;
import static jdk.internal.perf.ArenaLayout.ROOT_OVERFLOW_SLOT;
import static jdk.internal.perf.ArenaLayout.ROOT_PREVIOUS;
import static jdk.internal.perf.ArenaLayout.ROOT_SLOT;
import static jdk.internal.perf.ArenaLayout.ROOT_SLOTS;
import static jdk.internal.perf.ArenaLayout.ROOT_START_ORDER;
import static jdk.internal.perf.ArenaLayout.ROOT_STATES_SLOT;
import static jdk.internal.perf.ArenaLayout.STARTED_LATE;
import static jdk.internal.perf.ArenaLayout.TOP;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/** The roots of the calling context trees, one a thread, each linked to the one before. */
public final class Roots {
  private static final Unsafe U = Unsafe.getUnsafe();
  private static final long FIELD = U.objectFieldOffset(Thread.class, "jvmscope$root");

  // Distances of a root's slots.
  private static final int SLOT = -4 * (ROOT_SLOT + 1);
  static final int OVERFLOW = -4 * (ROOT_OVERFLOW_SLOT + 1);
  static final int CELLS = -4 * (ROOT_CELLS_SLOT + 1);
  static final int CACHE = -4 * (ROOT_CACHE_SLOT + 1);

  /** Distance of the slot of what snippets keep for the thread. */
  static final int STATES = -4 * (ROOT_STATES_SLOT + 1);

  private static final int SLOT_BYTES = 32;

  /** Distance of the bytecodes that the thread executed since its tree was told of. */
  static final int TICKS = -24;

  private static final int BYTES = ROOT_NAME + 2 * ROOT_NAME_MOST;

  private static boolean isRecording = true;

  /** Where a root may be: those before were forgotten. */
  private static long oldest;

  private Roots() {}

  /**
   * The slot to search for a method that is entered: the root's for the one that stands for it; 0
   * if what runs there is not recorded.
   */
  @Hidden
  public static long settle(Thread thread, long slot) {
    if (slot == ThreadSlot.OF_ROOT) {
      long root = isRecording ? of(thread) : 0L;
      return root == 0L ? 0L : root + SLOT;
    }
    long at = Arena.moved(slot); // a frame older than the move: the boot arena is empty since then
    return Arena.isSink(at) ? 0L : at;
  }

  /** The root of a thread's tree, made when it first runs an instrumented method; 0 if no room. */
  @Hidden
  static long of(Thread thread) {
    long known = U.getLong(thread, FIELD);
    if (known > oldest) {
      return Arena.base + known;
    }
    long memory = Arena.allocate(SLOT_BYTES + BYTES);
    if (memory == 0L) {
      return 0L;
    }
    long root = memory + SLOT_BYTES;
    Nodes.emptySlots(root, ROOT_SLOTS);
    U.putInt(null, root + STATES, EMPTY + ROOT_STATES_SLOT);
    ThreadDescription.write(thread, root);
    U.putInt(null, root + METHOD, ROOT);
    enlist(root);
    U.putLong(thread, FIELD, root - Arena.base);
    return root;
  }

  @Hidden
  private static void enlist(long root) {
    long base = Arena.base;
    long last;
    do {
      last = U.getLong(null, base + LAST_ROOT);
      U.putLong(null, root + ROOT_PREVIOUS, last);
    } while (!U.compareAndSetLong(null, base + LAST_ROOT, last, root - base >>> 3));
    int order;
    do {
      order = U.getInt(null, base + ROOT_COUNT);
    } while (!U.compareAndSetInt(null, base + ROOT_COUNT, order, order + 1));
    U.putInt(null, root + ROOT_START_ORDER, order);
  }

  /** The thread has been made or given a name: before, an attached one may have run already. */
  @Hidden
  public static void renamed(Thread thread) {
    long root = U.getLong(thread, FIELD);
    if (root != 0L) {
      ThreadDescription.write(thread, Arena.base + root);
    }
  }

  /** Forgets what was recorded, and records nothing until {@link #start}. */
  public static void postpone() {
    isRecording = false;
    oldest = U.getLong(null, Arena.base + TOP);
    ArenaHeader.raise(STARTED_LATE);
    U.putLong(null, Arena.base + LAST_ROOT, 0L);
    U.putInt(null, Arena.base + ROOT_COUNT, 0);
  }

  /** The slot under which the method that starts the recording is entered. */
  @Hidden
  public static long start(long slot) {
    isRecording = true;
    long at = slot - Arena.base;
    return at >= HEADER_BYTES && at < FIRST_NODE ? ThreadSlot.OF_ROOT : slot;
  }
}
