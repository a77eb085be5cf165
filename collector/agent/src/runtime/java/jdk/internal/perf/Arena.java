package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.DISK_FULL;
import static jdk.internal.perf.ArenaLayout.FIRST_NODE;
import static jdk.internal.perf.ArenaLayout.MAGIC;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.SINK;
import static jdk.internal.perf.ArenaLayout.SINK_NODE;
import static jdk.internal.perf.ArenaLayout.TOP;
import static jdk.internal.perf.ArenaLayout.VERSION;
import static jdk.internal.perf.ArenaLayout.VERSION_AT;

import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.channels.FileChannel;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * The memory of all calling context trees: one region that only grows. Until the agent has started
 * it is plain memory; then its content moves to a mapped file, which outlives the process.
 *
 * <p>Threads allocate by compare-and-set of the region's top. Links of 32 bits reach 32 GiB.
 */
public final class Arena {
  private static final Unsafe U = Unsafe.getUnsafe();

  private static final long BOOT_BYTES = 256L << 20;
  private static final long STEP_BYTES = 16L << 20;

  /**
   * What folded calls may take at least: each thread has a node for each method, small limit or
   * not.
   */
  private static final long LEAST_SLACK = 512L << 20;

  private static final int ZEROS = 1 << 20;

  /** Source of zeros when the file grows. */
  private static final long ZERO_BYTES;

  /** Address of an int that is 1 while a thread lets the file grow. */
  private static final long LOCK;

  private static final long BOOT_BASE;

  /** Address of the arena. Changes once, in {@link #moveTo}. */
  public static long base;

  private static long limit; // bytes that nodes may use before they fold
  private static long slackLimit; // bytes that folded edges may use besides
  private static long end; // bytes that the arena's memory has
  private static long reserved; // bytes of the file that surely have a place on disk
  private static FileDescriptor file; // null while the arena is plain memory

  static {
    ZERO_BYTES = zeroed(ZEROS);
    LOCK = zeroed(8);
    BOOT_BASE = (U.allocateMemory(BOOT_BYTES + 4096) + 4095) & -4096L;
    format(BOOT_BASE);
    base = BOOT_BASE;
    limit = BOOT_BYTES - (1 << 20);
    slackLimit = BOOT_BYTES;
    end = BOOT_BYTES;
    reserved = BOOT_BYTES;
  }

  private Arena() {}

  /** Memory for ever, filled with zeros. */
  static long zeroed(long bytes) {
    long address = U.allocateMemory(bytes);
    U.setMemory(address, bytes, (byte) 0);
    return address;
  }

  private static void format(long arena) {
    U.setMemory(arena, FIRST_NODE, (byte) 0);
    U.putLong(null, arena, MAGIC);
    U.putInt(null, arena + VERSION_AT, VERSION);
    U.putInt(null, arena + SINK_NODE + METHOD, SINK);
    U.putLong(null, arena + TOP, FIRST_NODE);
  }

  // ---- addresses and links

  /** The link at an address, unsigned. */
  @Hidden
  static long linkAt(long address) {
    return U.getInt(null, address) & 0xFFFFFFFFL;
  }

  /** Where the link at an address leads. */
  @Hidden
  static long follow(long address) {
    return base + ((U.getInt(null, address) & 0xFFFFFFFFL) << 3);
  }

  /** The address that a link leads to. */
  @Hidden
  static long at(long link) {
    return base + (link << 3);
  }

  /** The link that leads to an address. */
  @Hidden
  static int linkTo(long address) {
    return (int) (address - base >>> 3);
  }

  /** Is it the sink, or a slot of it? */
  @Hidden
  static boolean isSink(long address) {
    return address - base < FIRST_NODE;
  }

  /** The slot of the sink: what runs below it is not recorded. */
  @Hidden
  static long sinkSlot() {
    return base + SINK_NODE - 4;
  }

  /** Where an address of the plain memory is now; others are where they were. */
  @Hidden
  static long moved(long address) {
    long at = address - BOOT_BASE;
    return at >= 0 && at < BOOT_BYTES ? base + at : address;
  }

  // ---- allocation

  /** Zeroed bytes for a node, which folds if there is no room; 0 then. */
  @Hidden
  static long allocateNode(long bytes) {
    return allocate(bytes, limit);
  }

  /** Zeroed bytes for what folding needs; 0 if there is no room. */
  @Hidden
  static long allocateFolded(long bytes) {
    return allocate(bytes, slackLimit);
  }

  /** Zeroed bytes whatever the limit; 0 if the disk is full. */
  @Hidden
  static long allocate(long bytes) {
    return allocate(bytes, Long.MAX_VALUE);
  }

  @Hidden
  private static long allocate(long bytes, long upTo) {
    long size = bytes + 7 & -8L;
    long top;
    do {
      top = U.getLong(null, base + TOP);
      if (top + size > upTo) {
        return 0L;
      }
      if (top + size > end || top + size > reserved && !reserve(top + size)) {
        ArenaHeader.raise(DISK_FULL);
        return 0L;
      }
    } while (!U.compareAndSetLong(null, base + TOP, top, top + size));
    return base + top;
  }

  /**
   * Writes zeros ahead of the arena's top, so that its pages have a place: a store to a mapped page
   * that finds none would kill the VM.
   */
  @Hidden
  private static boolean reserve(long upTo) {
    if (file == null) {
      return false;
    }
    SpinLock.lock(LOCK);
    long slot = ThreadSlot.pause(); // the native constructs its exception in Java
    try {
      return reserveLocked(upTo);
    } catch (Throwable e) { // an IOException that no signature declares: no space left
      return false;
    } finally {
      ThreadSlot.resume(slot);
      SpinLock.unlock(LOCK);
    }
  }

  @Hidden
  private static boolean reserveLocked(long upTo) {
    for (long at = reserved; at < upTo; at += STEP_BYTES) {
      if (!writeZeros(at)) {
        return false;
      }
      reserved = at + STEP_BYTES;
    }
    return true;
  }

  @Hidden
  private static boolean writeZeros(long from) {
    for (long at = from; at < from + STEP_BYTES; ) {
      int written = JdkBridge.write(file, ZERO_BYTES, ZEROS, at);
      if (written < 0 && written != QuietFiles.INTERRUPTED) {
        return false;
      }
      at += written < 0 ? 0 : written;
    }
    return true;
  }

  /**
   * Moves the arena from plain memory into a mapped file, before the code of any agent: no thread
   * of the program runs yet, which would enter methods meanwhile. What frames of this moment still
   * count in the old place is lost: those of the VM's own start of agents, and the loops of the
   * threads that the VM started before, such as the Reference Handler.
   *
   * @param bytes length of the file; it may be sparse
   * @param maxBytes bytes that nodes may use; past them contexts fold
   * @return whether the first pages have a place on disk; if not, nothing has changed
   */
  public static boolean moveTo(
      FileChannel channel, FileDescriptor descriptor, long bytes, long maxBytes)
      throws IOException {
    long arena = JdkBridge.map(channel, descriptor, bytes);
    file = descriptor;
    reserved = 0L;
    if (!reserve(U.getLong(null, base + TOP) + STEP_BYTES)) {
      file = null;
      reserved = BOOT_BYTES;
      return false;
    }
    long top = U.getLong(null, base + TOP);
    U.copyMemory(null, BOOT_BASE, null, arena, top);
    base = arena;
    end = bytes;
    limit = maxBytes;
    slackLimit = maxBytes + Math.max(maxBytes >> 2, LEAST_SLACK);
    U.setMemory(BOOT_BASE, top, (byte) 0);
    return true;
  }
}
