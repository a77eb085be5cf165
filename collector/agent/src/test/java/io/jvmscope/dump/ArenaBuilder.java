package io.jvmscope.dump;

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
  private long next = Arena.FIRST_NODE;
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
    putLong(0, Arena.MAGIC);
    putInt(8, Arena.VERSION);
  }

  void putInt(long address, int value) {
    windows[(int) (address >>> WINDOW_BITS)]
        .putInt((int) (address & (1 << WINDOW_BITS) - 1), value);
  }

  void putLong(long address, long value) {
    windows[(int) (address >>> WINDOW_BITS)]
        .putLong((int) (address & (1 << WINDOW_BITS) - 1), value);
  }

  int getInt(long address) {
    return windows[(int) (address >>> WINDOW_BITS)]
        .getInt((int) (address & (1 << WINDOW_BITS) - 1));
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
    long node = allocate(3, ThreadRoot.NAME + 2 * name.length());
    putInt(node + Node.METHOD, Node.ROOT);
    putLong(node + ThreadRoot.PREVIOUS, lastRoot);
    putInt(node + 24, startOrder);
    putInt(node + 28, kind);
    putLong(node + 32, startOrder + 1L);
    putInt(node + 40, name.length());
    putInt(node + 44, flags);
    for (int i = 0; i < name.length(); i++) {
      int shift = 16 * (i & 1);
      long at = node + ThreadRoot.NAME + 2L * (i & ~1);
      putInt(at, shift == 0 ? name.charAt(i) : getInt(at) | name.charAt(i) << shift);
    }
    lastRoot = link(node);
    roots++;
    return lastRoot;
  }

  /** Adds a node in front of the others in its parent's slot. */
  int node(int parent, int slot, int method, int slots, long... counters) {
    long node = allocate(slots, Node.COUNTERS + 8 * counters.length);
    putInt(node + Node.METHOD, method);
    for (int i = 0; i < counters.length; i++) {
      putLong(node + Node.COUNTERS + 8L * i, counters[i]);
    }
    insert(parent, slot, node);
    return link(node);
  }

  /** Adds a proxy for calls that were folded into a node. */
  int proxy(int parent, int slot, int method, int target, long calls) {
    long node = allocate(0, 32);
    putInt(node + Node.METHOD, Node.PROXY);
    putLong(node + Node.PROXY_CALLS, calls);
    putInt(node + Node.PROXY_TARGET, target);
    putInt(node + Node.PROXY_METHOD, method);
    insert(parent, slot, node);
    return link(node);
  }

  /** Moves what a slot holds into a table, as at a site with many targets. */
  void makeTable(int parent, int slot, int capacity) {
    long table = allocate(0, Node.TABLE_LINKS + 4 * capacity);
    putInt(table + Node.METHOD, Node.TABLE);
    putInt(table + Node.TABLE_CAPACITY, capacity);
    long place = Arena.address(parent) + Node.slot(slot);
    int used = 0;
    for (int child = getInt(place); child != 0; ) {
      putInt(table + Node.TABLE_LINKS + 4L * (2 * used++ + 1), child);
      long at = Arena.address(child) + Node.NEXT;
      child = getInt(at);
      putInt(at, 0);
    }
    putInt(table + 20, used);
    putInt(place, link(table));
  }

  /** Adds a count of calls by receiver to a slot of a node. */
  void receiver(int node, int slot, int number, long calls) {
    long count = allocate(0, 32);
    putInt(count + Node.METHOD, Node.RECEIVERS);
    putLong(count + Node.RECEIVER_CALLS, calls);
    putInt(count + Node.RECEIVER_CLASS, number);
    insert(node, slot, count);
  }

  /** Adds the cells of a method to a root. */
  void cells(int root, int method, long[][] cells) {
    long block = allocate(0, 16 + 32 * cells.length);
    putInt(block + Node.METHOD, method);
    for (int i = 0; i < cells.length; i++) {
      for (int k = 0; k < 3; k++) {
        putLong(block + 16 + 32L * i + 8 * k, cells[i][k]);
      }
    }
    insert(root, ThreadRoot.CELLS_SLOT, block);
  }

  private void insert(int parent, int slot, long node) {
    long place = Arena.address(parent) + Node.slot(slot);
    putInt(node + Node.NEXT, getInt(place));
    putInt(node + Node.PARENT, parent);
    putInt(node + Node.FLAGS, slot);
    putInt(place, link(node));
  }

  /** Bytes used so far. */
  long used() {
    return next;
  }

  /** Writes the header. */
  @Override
  public void close() throws IOException {
    putLong(24, next);
    putLong(32, lastRoot);
    putInt(40, roots);
    file.close();
  }
}
