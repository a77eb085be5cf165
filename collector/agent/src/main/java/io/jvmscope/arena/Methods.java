package io.jvmscope.arena;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * What the walks over the trees need to know of each method, packed into arrays.
 *
 * <p>Methods have two numbers: the agent's, which stands in the nodes, and the canonical one, which
 * is the key of table {@code method}. A method's <em>layout</em> starts at {@code layouts[n]} of
 * {@code packed} and is
 *
 * <pre>
 *   slots, counters, blocks, first block, sites,
 *     slots that probes share between nodes, behind the own one
 *   blocks x (offset of the counter from the node in bytes, instructions)
 *   sites  x (slot, or ~counter for a leaf;
 *             ordinal among the invoke instructions of the method;
 *             symbol of the named method; of a leaf its canonical id, -1 if unknown;
 *             symbol of the named owner, shifted left by 4, + flags;
 * offset from the node of the counter of what it is in, 0 if that is not counted)
 *   probes x (length of what follows, what the tables of the probe have to know)
 * </pre>
 *
 * <p>Invariant: {@code blocks} is 0 where blocks are not counted. Layout {@link #BARE} is that of a
 * node with one slot and one counter, as leaves and the roots of threads have.
 */
public final class Methods {
  public static final int BARE = 0;

  public static final int SLOTS = 0;
  public static final int COUNTERS = 1;
  public static final int BLOCKS = 2;
  public static final int FIRST_BLOCK = 3;
  public static final int SITES = 4;
  public static final int SHARED_SLOTS = 5;
  public static final int HEAD_INTS = 6;
  public static final int BLOCK_INTS = 2;
  public static final int SITE_INTS = 5;

  /** Of a site: invokedynamic, or signature polymorphic; it may reach any method. */
  public static final int DYNAMIC = 1;

  /** Of a site: invokestatic or invokespecial; the callee's class is the owner or above it. */
  public static final int BOUND = 2;

  /** Of a site: invokevirtual or invokeinterface; the receiver's class decides. */
  public static final int VIRTUAL = 4;

  /** Of a bound site: it calls a constructor. Of a dynamic one: it may. */
  public static final int CONSTRUCTS = 8;

  /** How far the owner's symbol is shifted above these. */
  public static final int OWNER_SHIFT = 4;

  /** Of a method: the VM calls it, whatever the site says. */
  public static final byte UPCALL = 1;

  /** Of a method: it is {@code main} of the main class. */
  public static final byte MAIN = 2;

  /** Of a method: it is a constructor. */
  public static final byte CONSTRUCTOR = 4;

  /** Of a method: it allocates the object of a method handle, whose constructor another calls. */
  public static final byte ALLOCATOR = 8;

  /** Of a method: a call of it may be dispatched. */
  public static final byte DISPATCHED = 16;

  // by the agent's number
  private int[] ids = {};
  private int[] layouts = {};
  private int[] symbols = {};
  private int[] owners = {};
  private byte[] traits = {};
  private final Set<Long> unseen = new HashSet<>(); // and slots of sites
  // by the canonical number
  private int[] firstBlock = new int[1024]; // and behind the last one, the number of blocks
  private int[] invokes = new int[1024];
  private int[] firstSite;
  private boolean[] hasUpcalls = new boolean[1024];
  private int count;

  private int[] packed;
  private int used;

  /** Of a recording with so many probes. */
  public Methods(int probes) {
    packed = new int[HEAD_INTS + probes]; // the bare layout, in which probes have nothing to know
    packed[SLOTS] = 1;
    packed[COUNTERS] = 1;
    used = packed.length;
  }

  /** Adds a method that has so many blocks and invoke instructions; its canonical id. */
  public int add(int blocks, int invokeCount) {
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
  public void define(int number, int id, int layout, int symbol, int owner, byte trait) {
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
  public int pack(int[] layout) {
    if (used + layout.length > packed.length) {
      packed = Arrays.copyOf(packed, Math.max(used + layout.length, 2 * packed.length));
    }
    System.arraycopy(layout, 0, packed, used, layout.length);
    used += layout.length;
    return used - layout.length;
  }

  public int[] packed() {
    return packed;
  }

  public int count() {
    return count;
  }

  /** Canonical id for the agent's number; -1 if no such method was logged. */
  public int id(int number) {
    return number >= 0 && number < ids.length ? ids[number] : -1;
  }

  public int layout(int number) {
    return layouts[number];
  }

  /** The first site of a layout. */
  public int sitesStart(int layout) {
    return layout + HEAD_INTS + BLOCK_INTS * packed[layout + BLOCKS];
  }

  /** Behind the last site of a layout, where the shares of probes begin. */
  public int sitesEnd(int layout) {
    return sitesStart(layout) + SITE_INTS * packed[layout + SITES];
  }

  /** Where a layout has the length of what a probe put there, which follows. */
  public int share(int layout, int probe) {
    int at = sitesEnd(layout);
    for (int k = 0; k < probe; k++) {
      at += 1 + packed[at];
    }
    return at;
  }

  /** Symbol of the method's name and descriptor. */
  public int symbol(int number) {
    return symbols[number];
  }

  /** Canonical id of the method's class. */
  public int owner(int number) {
    return owners[number];
  }

  public boolean isAlwaysUpcall(int number) {
    return (traits[number] & UPCALL) != 0;
  }

  public boolean isDispatched(int number) {
    return (traits[number] & DISPATCHED) != 0;
  }

  /** A site of a method, by its slot, called one that is not instrumented, which called others. */
  public void noteUnseen(int number, int slot) {
    unseen.add((long) number << 32 | slot);
  }

  public boolean hasUnseen(int number, int slot) {
    return unseen.contains((long) number << 32 | slot);
  }

  public boolean isMain(int number) {
    return (traits[number] & MAIN) != 0;
  }

  public boolean isConstructor(int number) {
    return (traits[number] & CONSTRUCTOR) != 0;
  }

  public boolean isAllocator(int number) {
    return (traits[number] & ALLOCATOR) != 0;
  }

  /** The first basic block of a method by canonical id; that of the last + 1 ends the blocks. */
  public int firstBlock(int id) {
    return firstBlock[id];
  }

  public int invokes(int id) {
    return invokes[id];
  }

  /** Notes that the VM called from inside a method, so that it has a call site for that. */
  public void noteUpcalls(int id) {
    hasUpcalls[id] = true;
  }

  public boolean hasUpcalls(int id) {
    return hasUpcalls[id];
  }

  /** The site of the VM's calls from a method; it precedes the method's other sites. */
  public int upcallSite(int id) {
    return firstSite[id];
  }

  /** The site of a method's invoke instruction. */
  public int site(int id, int ordinal) {
    return firstSite[id] + (hasUpcalls[id] ? 1 : 0) + ordinal;
  }

  /** Numbers the call sites, once the VM's calls are known. */
  public void numberSites() {
    firstSite = new int[count];
    int next = 0;
    for (int id = 0; id < count; id++) {
      firstSite[id] = next;
      next += invokes[id] + (hasUpcalls[id] ? 1 : 0);
    }
  }
}
