package io.jvmscope.dump;

import static jdk.internal.perf.ArenaLayout.CELLS;
import static jdk.internal.perf.ArenaLayout.CELL_BYTES;
import static jdk.internal.perf.ArenaLayout.COUNTERS;
import static jdk.internal.perf.ArenaLayout.FIRST_NODE;
import static jdk.internal.perf.ArenaLayout.LAST_ROOT;
import static jdk.internal.perf.ArenaLayout.MAGIC;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.NEXT;
import static jdk.internal.perf.ArenaLayout.PARENT;
import static jdk.internal.perf.ArenaLayout.PLACE;
import static jdk.internal.perf.ArenaLayout.PROXY;
import static jdk.internal.perf.ArenaLayout.PROXY_BYTES;
import static jdk.internal.perf.ArenaLayout.PROXY_CALLS;
import static jdk.internal.perf.ArenaLayout.PROXY_METHOD;
import static jdk.internal.perf.ArenaLayout.PROXY_TARGET;
import static jdk.internal.perf.ArenaLayout.RECEIVER;
import static jdk.internal.perf.ArenaLayout.RECEIVER_BYTES;
import static jdk.internal.perf.ArenaLayout.RECEIVER_CALLS;
import static jdk.internal.perf.ArenaLayout.RECEIVER_CLASS;
import static jdk.internal.perf.ArenaLayout.ROOT;
import static jdk.internal.perf.ArenaLayout.ROOT_CELLS_SLOT;
import static jdk.internal.perf.ArenaLayout.ROOT_COUNT;
import static jdk.internal.perf.ArenaLayout.ROOT_FLAGS;
import static jdk.internal.perf.ArenaLayout.ROOT_KIND;
import static jdk.internal.perf.ArenaLayout.ROOT_NAME;
import static jdk.internal.perf.ArenaLayout.ROOT_NAME_LENGTH;
import static jdk.internal.perf.ArenaLayout.ROOT_PREVIOUS;
import static jdk.internal.perf.ArenaLayout.ROOT_START_ORDER;
import static jdk.internal.perf.ArenaLayout.ROOT_TID;
import static jdk.internal.perf.ArenaLayout.TABLE;
import static jdk.internal.perf.ArenaLayout.TABLE_CAPACITY;
import static jdk.internal.perf.ArenaLayout.TABLE_LINKS;
import static jdk.internal.perf.ArenaLayout.TABLE_USED;
import static jdk.internal.perf.ArenaLayout.TOP;
import static jdk.internal.perf.ArenaLayout.VERSION;
import static jdk.internal.perf.ArenaLayout.VERSION_AT;

import io.jvmscope.arena.Arena;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes arenas for tests, node by node, as the agent does: by a bump pointer, the slots before the
 * node, the counters behind its head. Nodes are named by their links.
 */
final class ArenaBuilder implements AutoCloseable {
  private static final int WINDOW_BITS = 30;

  private final FileChannel file;
  private final MappedByteBuffer[] windows;
  private long next = FIRST_NODE;
  private int roots;
  private int lastRoot;

  ArenaBuilder(Path path, long bytes) throws IOException {
    file =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.SPARSE);
    windows = new MappedByteBuffer[(int) ((bytes >>> WINDOW_BITS) + 1)];
    for (int i = 0; i < windows.length; i++) {
      long start = (long) i << WINDOW_BITS;
      long length = Math.min(1L << WINDOW_BITS, bytes - start);
      windows[i] = file.map(FileChannel.MapMode.READ_WRITE, start, length);
      windows[i].order(ByteOrder.LITTLE_ENDIAN);
    }
    putLong(0, MAGIC);
    putInt(VERSION_AT, VERSION);
  }

  void putInt(long address, int value) {
    windows[(int) (address >>> WINDOW_BITS)].putInt(
        (int) (address & (1 << WINDOW_BITS) - 1), value);
  }

  void putLong(long address, long value) {
    windows[(int) (address >>> WINDOW_BITS)].putLong(
        (int) (address & (1 << WINDOW_BITS) - 1), value);
  }

  int getInt(long address) {
    return windows[(int) (address >>> WINDOW_BITS)].getInt(
        (int) (address & (1 << WINDOW_BITS) - 1));
  }

  private long allocate(int slots, int bytes) {
    long node = next + 4L * slots + 7 & ~7L;
    next = node + bytes + 7 & ~7L;
    return node;
  }

  private static int link(long address) {
    return (int) (address >>> 3);
  }

  /** Adds the root of a thread. */
  int root(String name, int startOrder, int kind, int flags) {
    long node = allocate(3, ROOT_NAME + 2 * name.length());
    putInt(node + METHOD, ROOT);
    putLong(node + ROOT_PREVIOUS, lastRoot);
    putInt(node + ROOT_START_ORDER, startOrder);
    putInt(node + ROOT_KIND, kind);
    putLong(node + ROOT_TID, startOrder + 1L);
    putInt(node + ROOT_NAME_LENGTH, name.length());
    putInt(node + ROOT_FLAGS, flags);
    for (int i = 0; i < name.length(); i++) {
      int shift = 16 * (i & 1);
      long at = node + ROOT_NAME + 2L * (i & ~1);
      putInt(at, shift == 0 ? name.charAt(i) : getInt(at) | name.charAt(i) << shift);
    }
    lastRoot = link(node);
    roots++;
    return lastRoot;
  }

  /** Adds a node in front of the others in its parent's slot. */
  int node(int parent, int slot, int method, int slots, long... counters) {
    long node = allocate(slots, COUNTERS + 8 * counters.length);
    putInt(node + METHOD, method);
    for (int i = 0; i < counters.length; i++) {
      putLong(node + COUNTERS + 8L * i, counters[i]);
    }
    insert(parent, slot, node);
    return link(node);
  }

  /** Adds a proxy for calls that were folded into a node. */
  int proxy(int parent, int slot, int method, int target, long calls) {
    long node = allocate(0, PROXY_BYTES);
    putInt(node + METHOD, PROXY);
    putLong(node + PROXY_CALLS, calls);
    putInt(node + PROXY_TARGET, target);
    putInt(node + PROXY_METHOD, method);
    insert(parent, slot, node);
    return link(node);
  }

  /** Moves what a slot holds into a table, as at a site with many targets. */
  void makeTable(int parent, int slot, int capacity) {
    long table = allocate(0, TABLE_LINKS + 4 * capacity);
    putInt(table + METHOD, TABLE);
    putInt(table + TABLE_CAPACITY, capacity);
    long place = Arena.address(parent) + Arena.slot(slot);
    int used = 0;
    for (int child = getInt(place); child != 0; ) {
      putInt(table + TABLE_LINKS + 4L * (2 * used++ + 1), child);
      long at = Arena.address(child) + NEXT;
      child = getInt(at);
      putInt(at, 0);
    }
    putInt(table + TABLE_USED, used);
    putInt(place, link(table));
  }

  /** Adds a count of calls by receiver to a slot of a node. */
  void receiver(int node, int slot, int number, long calls) {
    long count = allocate(0, RECEIVER_BYTES);
    putInt(count + METHOD, RECEIVER);
    putLong(count + RECEIVER_CALLS, calls);
    putInt(count + RECEIVER_CLASS, number);
    insert(node, slot, count);
  }

  /** Adds the cells of a method to a root. */
  void cells(int root, int method, long[][] cells) {
    long block = allocate(0, CELLS + CELL_BYTES * cells.length);
    putInt(block + METHOD, method);
    for (int i = 0; i < cells.length; i++) {
      for (int k = 0; k < 3; k++) {
        putLong(block + CELLS + (long) CELL_BYTES * i + 8 * k, cells[i][k]);
      }
    }
    insert(root, ROOT_CELLS_SLOT, block);
  }

  private void insert(int parent, int slot, long node) {
    long place = Arena.address(parent) + Arena.slot(slot);
    putInt(node + NEXT, getInt(place));
    putInt(node + PARENT, parent);
    putInt(node + PLACE, slot);
    putInt(place, link(node));
  }

  /** Bytes used so far. */
  long used() {
    return next;
  }

  /** Writes the header. */
  @Override
  public void close() throws IOException {
    putLong(TOP, next);
    putLong(LAST_ROOT, lastRoot);
    putInt(ROOT_COUNT, roots);
    file.close();
  }
}
