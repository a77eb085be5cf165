package io.jvmscope.dump;

import java.util.Arrays;

/**
 * What the walks over the trees need to know of each method, packed into arrays.
 *
 * <p>Methods have two numbers: the agent's, which stands in the nodes, and the canonical one, which
 * is the key of table {@code method}. A method's <em>layout</em> starts at {@code layouts[n]} of
 * {@code packed} and is
 *
 * <pre>
 *   slots, counters, blocks, first block, sites, segments, first segment,
 *     slot of the counts by receiver, -1 if there is none; 1 if slot 1 leads to cells;
 *     offset in bytes of the counters of the method cache, 0 if there are none
 *   blocks x (offset of the counter from the node in bytes, instructions)
 *   sites  x (slot, or ~counter for a leaf;
 *             ordinal among the invoke instructions of the method;
 *             symbol of the named method; of a leaf its canonical id, -1 if unknown;
 *             symbol of the named owner, shifted left by 3, + DYNAMIC, + BOUND, + VIRTUAL)
 *   segments x (offset of the counter from the node in bytes, number of instructions)
 * </pre>
 *
 * <p>Invariant: {@code blocks} is 0 where blocks are not counted, {@code segments} where block
 * segments are not. Layout {@link #BARE} is that of a node with one slot and one counter, as leaves
 * and the roots of threads have.
 */
final class Methods {
  static final int BARE = 0;

  static final int SLOTS = 0;
  static final int COUNTERS = 1;
  static final int BLOCKS = 2;
  static final int FIRST_BLOCK = 3;
  static final int SITES = 4;
  static final int SEGMENTS = 5;
  static final int FIRST_SEGMENT = 6;
  static final int RECEIVERS = 7;
  static final int HAS_CELLS = 8;
  static final int CACHE = 9;
  static final int HEAD_INTS = 10;
  static final int BLOCK_INTS = 2;
  static final int SITE_INTS = 4;
  static final int SEGMENT_INTS = 2;

  /** Of a site: invokedynamic, or signature polymorphic; it may reach any method. */
  static final int DYNAMIC = 1;

  /** Of a site: invokestatic or invokespecial; the callee's class is the owner or above it. */
  static final int BOUND = 2;

  /** Of a site: invokevirtual or invokeinterface; the receiver's class decides. */
  static final int VIRTUAL = 4;

  /** How far the owner's symbol is shifted above these. */
  static final int OWNER_SHIFT = 3;

  /** Of a method: the VM calls it, whatever the site says. */
  static final byte UPCALL = 1;

  /** Of a method: it is {@code main} of the main class. */
  static final byte MAIN = 2;

  // by the agent's number
  private int[] ids = {};
  private int[] layouts = {};
  private int[] symbols = {};
  private int[] owners = {};
  private byte[] traits = {};
  // by the canonical number
  private int[] firstBlock = new int[1024]; // and behind the last one, the number of blocks
  private int[] invokes = new int[1024];
  private int[] firstSite;
  private boolean[] hasUpcalls = new boolean[1024];
  private int count;

  private int[] packed = {1, 1, 0, 0, 0, 0, 0, -1, 0, 0};
  private int used = packed.length;

  /** Adds a method that has so many blocks and invoke instructions; its canonical id. */
  int add(int blocks, int invokeCount) {
    if (count + 1 == firstBlock.length) {
      firstBlock = Arrays.copyOf(firstBlock, 2 * firstBlock.length);
      invokes = Arrays.copyOf(invokes, firstBlock.length);
      hasUpcalls = Arrays.copyOf(hasUpcalls, firstBlock.length);
    }
    firstBlock[count + 1] = firstBlock[count] + blocks;
    invokes[count] = invokeCount;
    return count++;
  }

  /** Makes a method known under the agent's number. */
  void define(int number, int id, int layout, int symbol, int owner, byte trait) {
    if (number >= ids.length) {
      int known = ids.length;
      int length = Math.max(number + 1, 2 * known);
      ids = Arrays.copyOf(ids, length);
      Arrays.fill(ids, known, length, -1);
      layouts = Arrays.copyOf(layouts, length);
      symbols = Arrays.copyOf(symbols, length);
      owners = Arrays.copyOf(owners, length);
      traits = Arrays.copyOf(traits, length);
    }
    ids[number] = id;
    layouts[number] = layout;
    symbols[number] = symbol;
    owners[number] = owner;
    traits[number] = trait;
  }

  /** Appends a layout; its start. */
  int pack(int[] layout) {
    if (used + layout.length > packed.length) {
      packed = Arrays.copyOf(packed, Math.max(used + layout.length, 2 * packed.length));
    }
    System.arraycopy(layout, 0, packed, used, layout.length);
    used += layout.length;
    return used - layout.length;
  }

  int[] packed() {
    return packed;
  }

  int count() {
    return count;
  }

  /** Canonical id for the agent's number; -1 if no such method was logged. */
  int id(int number) {
    return number >= 0 && number < ids.length ? ids[number] : -1;
  }

  int layout(int number) {
    return layouts[number];
  }

  /** The first site of a layout. */
  int sitesStart(int layout) {
    return layout + HEAD_INTS + BLOCK_INTS * packed[layout + BLOCKS];
  }

  /** Behind the last site of a layout, where its segments begin. */
  int sitesEnd(int layout) {
    return sitesStart(layout) + SITE_INTS * packed[layout + SITES];
  }

  /** Symbol of the method's name and descriptor. */
  int symbol(int number) {
    return symbols[number];
  }

  /** Canonical id of the method's class. */
  int owner(int number) {
    return owners[number];
  }

  boolean isAlwaysUpcall(int number) {
    return (traits[number] & UPCALL) != 0;
  }

  boolean isMain(int number) {
    return (traits[number] & MAIN) != 0;
  }

  /** The first basic block of a method by canonical id; that of the last + 1 ends the blocks. */
  int firstBlock(int id) {
    return firstBlock[id];
  }

  int invokes(int id) {
    return invokes[id];
  }

  /** Notes that the VM called from inside a method, so that it has a call site for that. */
  void noteUpcalls(int id) {
    hasUpcalls[id] = true;
  }

  boolean hasUpcalls(int id) {
    return hasUpcalls[id];
  }

  /** The site of the VM's calls from a method; it precedes the method's other sites. */
  int upcallSite(int id) {
    return firstSite[id];
  }

  /** The site of a method's invoke instruction. */
  int site(int id, int ordinal) {
    return firstSite[id] + (hasUpcalls[id] ? 1 : 0) + ordinal;
  }

  /** Numbers the call sites, once the VM's calls are known. */
  void numberSites() {
    firstSite = new int[count];
    int next = 0;
    for (int id = 0; id < count; id++) {
      firstSite[id] = next;
      next += invokes[id] + (hasUpcalls[id] ? 1 : 0);
    }
  }
}
