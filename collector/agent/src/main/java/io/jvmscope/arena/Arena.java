package io.jvmscope.arena;

import static jdk.internal.perf.ArenaLayout.FIRST_LINK;
import static jdk.internal.perf.ArenaLayout.FIRST_NODE;
import static jdk.internal.perf.ArenaLayout.HEADER_BYTES;
import static jdk.internal.perf.ArenaLayout.LAST_ROOT;
import static jdk.internal.perf.ArenaLayout.MAGIC;
import static jdk.internal.perf.ArenaLayout.NEXT;
import static jdk.internal.perf.ArenaLayout.ROOT_FLAGS;
import static jdk.internal.perf.ArenaLayout.ROOT_KIND;
import static jdk.internal.perf.ArenaLayout.ROOT_NAME;
import static jdk.internal.perf.ArenaLayout.ROOT_NAME_LENGTH;
import static jdk.internal.perf.ArenaLayout.ROOT_NAME_MOST;
import static jdk.internal.perf.ArenaLayout.ROOT_PREVIOUS;
import static jdk.internal.perf.ArenaLayout.ROOT_START_ORDER;
import static jdk.internal.perf.ArenaLayout.ROOT_TID;
import static jdk.internal.perf.ArenaLayout.TOP;
import static jdk.internal.perf.ArenaLayout.VERSION;
import static jdk.internal.perf.ArenaLayout.VERSION_AT;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The mapped file in which the VM kept its calling context trees, written by {@code
 * CallingContext}. An address is a number of bytes from the file's start; a link is an address
 * divided by 8, unsigned, 0 for none. An empty slot may also hold a link that is less than that of
 * the first node.
 *
 * <p>The file is mapped in windows of 1 GiB. No field straddles two windows, since each lies at a
 * multiple of its own size. It is mapped shared and is changed in place: siblings are sorted, and
 * sizes take the place of parents. Doing so twice does no harm.
 */
public final class Arena {
  private static final int WINDOW_BITS = 30;
  private static final int WINDOW_BYTES = 1 << WINDOW_BITS;

  private final MappedByteBuffer[] windows;
  private final long used;

  private Arena(MappedByteBuffer[] windows, long used) {
    this.windows = windows;
    this.used = used;
  }

  /** Maps an arena; {@link RecordingDamaged} unless its header is one. */
  public static Arena open(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      throw new RecordingDamaged(path + ": no such file; the VM ended before recording began");
    }
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      while (header.hasRemaining() && file.read(header) >= 0) {
        continue;
      }
      check(path, file.size(), header);
      long bytes = Math.min(file.size(), header.getLong(TOP));
      MappedByteBuffer[] windows =
          new MappedByteBuffer[(int) ((bytes + WINDOW_BYTES - 1) >>> WINDOW_BITS)];
      for (int i = 0; i < windows.length; i++) {
        long start = (long) i << WINDOW_BITS;
        long length = Math.min(WINDOW_BYTES, bytes - start);
        windows[i] = file.map(FileChannel.MapMode.READ_WRITE, start, length);
        windows[i].order(ByteOrder.LITTLE_ENDIAN);
      }
      return new Arena(windows, bytes);
    }
  }

  private static void check(Path path, long bytes, ByteBuffer header) {
    if (bytes < HEADER_BYTES || header.getLong(0) == 0) {
      throw new RecordingDamaged(path + ": is empty; the VM ended before recording began");
    }
    if (header.getLong(0) != MAGIC) {
      throw new RecordingDamaged(path + ": is not an arena: its magic number is missing");
    }
    int version = header.getInt(VERSION_AT);
    if (version != VERSION) {
      throw new RecordingDamaged(
          path + ": has version " + version + ", expected " + VERSION + "; record again");
    }
    long used = header.getLong(TOP);
    if (used < FIRST_NODE || used > bytes) {
      throw new RecordingDamaged(
          path + ": is cut off: " + used + " bytes are used, but the file has " + bytes);
    }
  }

  public int getInt(long address) {
    return windows[(int) (address >>> WINDOW_BITS)].getInt((int) address & WINDOW_BYTES - 1);
  }

  public void putInt(long address, int value) {
    windows[(int) (address >>> WINDOW_BITS)].putInt((int) address & WINDOW_BYTES - 1, value);
  }

  public long getLong(long address) {
    return windows[(int) (address >>> WINDOW_BITS)].getLong((int) address & WINDOW_BYTES - 1);
  }

  public void putLong(long address, long value) {
    windows[(int) (address >>> WINDOW_BITS)].putLong((int) address & WINDOW_BYTES - 1, value);
  }

  /** The link behind a sibling, given the steps so far; {@link RecordingDamaged} in a circle. */
  public int next(long address, long steps) {
    if (steps > used >>> 3) {
      throw new RecordingDamaged("arena: siblings form a cycle at " + address);
    }
    return getInt(address + NEXT);
  }

  /** The link in a slot or behind a sibling; 0 if there is none. */
  public int child(long address) {
    int link = getInt(address);
    return Integer.compareUnsigned(link, FIRST_LINK) < 0 ? 0 : link;
  }

  private char getChar(long address) {
    return windows[(int) (address >>> WINDOW_BITS)].getChar((int) address & WINDOW_BYTES - 1);
  }

  /** The address that a link stands for. */
  public static long address(int link) {
    return (link & 0xFFFF_FFFFL) << 3;
  }

  /** The distance of a slot from its node. */
  public static long slot(int slot) {
    return -4L * (slot + 1);
  }

  /** Bytes used, header included. */
  public long used() {
    return used;
  }

  /** The threads' roots, in order of their first execution. */
  public List<ThreadRoot> roots() {
    List<ThreadRoot> roots = new ArrayList<>();
    long most = used / ROOT_NAME; // more can only be a circle
    long at = address((int) getLong(LAST_ROOT));
    for (; at != 0; at = address((int) getLong(at + ROOT_PREVIOUS))) {
      if (at < FIRST_NODE || at + ROOT_NAME > used || roots.size() > most) {
        throw new RecordingDamaged("arena: root of a thread at " + at + " is out of bounds");
      }
      roots.add(root(at));
    }
    roots.sort(Comparator.comparingInt(ThreadRoot::startOrder));
    return roots;
  }

  private ThreadRoot root(long at) {
    int length = Math.min(ROOT_NAME_MOST, Math.max(0, getInt(at + ROOT_NAME_LENGTH)));
    StringBuilder name = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      name.append(getChar(at + ROOT_NAME + 2L * i));
    }
    return new ThreadRoot(
        at,
        name.toString(),
        getInt(at + ROOT_START_ORDER),
        getInt(at + ROOT_KIND),
        getLong(at + ROOT_TID),
        getInt(at + ROOT_FLAGS));
  }
}
