package io.jvmscope.classfile;

import io.jvmscope.classfile.LeafMethods.Leaf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What is counted in a method, and where its node keeps it. A pure function of the class file, the
 * JDK's leaf methods and the probes: the instrumenter and the dump each make it for themselves, so
 * that a recording holds no layout.
 *
 * <p>A node has {@link #counterCount()} counters and {@link #slotCount()} slots. Slot 0 is the
 * method's <em>own</em>: what the VM calls from inside the method hangs there. Then come the slots
 * that probes share between nodes, those of the call sites, and what else probes keep ({@link
 * NodeShare}). Counter 0 is always the number of calls.
 */
public final class MethodPlan {
  /** How much of a method is counted; the level falls where the JVM's 64 KB limit is near. */
  public enum Coverage {
    /** Calls, every basic block, every site. */
    FULL,
    /** Calls and the sites of calls; blocks have no counters. */
    SITES,
    /** Calls only; every callee hangs at the own slot. */
    CALLS,
    /** Nothing: the body is as it was. */
    NONE
  }

  /** How a call site finds its callee's node. */
  public enum SiteKind {
    /** The callee's prologue looks its node up in the site's slot. */
    CALL,
    /** As CALL, but if no class overrides hashCode or clone the caller counts {@code Object}'s. */
    OPEN,
    /** As CALL, but if no method with a body was reached the caller counts the leaf. */
    EITHER,
    /** The caller enters the node of a native method, which may call back. */
    NATIVE,
    /** A leaf that calls nothing: counted by a counter of the caller's node. */
    LEAF
  }

  /**
   * A call site.
   *
   * @param instruction number of the invoke instruction
   * @param index counter for LEAF, slot for the others
   * @param isDerived the counter is that of the enclosing block or segment: between its start and
   *     the call nothing can fail, so that the block's executions are the calls
   * @param leaf the callee; for OPEN and EITHER the one to count if nothing overrides or hides it;
   *     null for CALL
   */
  public record Site(int instruction, SiteKind kind, int index, boolean isDerived, Leaf leaf) {}

  /** Counters, and slots, that a node has at most: a prologue names both numbers in one int. */
  private static final int MOST = 0xFFFF;

  private final ClassFile file;
  private final ClassFile.Method method;
  private final BasicBlocks blocks;
  private final Coverage coverage;
  private final int[] segmentFirst; // instruction that starts each counted stretch
  private final int[] segmentCounter;
  private final Site[] siteAt; // by instruction
  private final List<Site> sites = new ArrayList<>();
  private final NodeShare[] shares;
  private final int[] shareSlot; // of each share the first slot, if it has one
  private final int[] shareCounter; // likewise
  private final int sharedSlots;
  private final int siteSlots;
  private final boolean isStandIn;
  private int counterCount;
  private int slotCount;
  private boolean[]
      throwing; // by instruction; null until it is asked for, which the dump rarely does
  private boolean[] needsOwn; // likewise, and the dump never
  private List<Integer> branches; // likewise
  private List<AllocationSite> allocations; // likewise

  /** Plans a method that has code. */
  public MethodPlan(
      ClassFile file,
      ClassFile.Method method,
      LeafMethods leaves,
      Coverage coverage,
      NodeShare[] shares) {
    this.file = file;
    this.method = method;
    this.coverage = coverage;
    this.isStandIn = leaves.isStandIn(method.name(), method.descriptor());
    this.blocks = new BasicBlocks(file, method.code());
    this.siteAt = new Site[blocks.instructionCount()];
    this.counterCount = blocks.entryIsTarget() || coverage != Coverage.FULL ? 1 : 0;
    this.shares = shares;
    this.sharedSlots = countShared(shares);
    this.slotCount = 1 + sharedSlots;
    this.segmentFirst = findSegments(isSplit(shares));
    this.segmentCounter = new int[segmentFirst.length];
    if (coverage == Coverage.FULL) {
      for (int i = 0; i < segmentFirst.length; i++) {
        segmentCounter[i] = counterCount++;
      }
    } else {
      Arrays.fill(segmentCounter, -1);
    }
    if (coverage == Coverage.FULL || coverage == Coverage.SITES) {
      findSites(leaves);
    }
    this.siteSlots = slotCount - 1 - sharedSlots;
    this.shareSlot = new int[shares.length];
    this.shareCounter = new int[shares.length];
    placeShares();
  }

  private static int countShared(NodeShare[] shares) {
    int shared = 0;
    for (NodeShare share : shares) {
      shared += share.sharedSlots();
    }
    return shared;
  }

  private static boolean isSplit(NodeShare[] shares) {
    boolean isSplit = false;
    for (NodeShare share : shares) {
      isSplit |= share.splitsBlocks();
    }
    return isSplit;
  }

  private void placeShares() {
    for (int k = 0; k < shares.length; k++) {
      shareSlot[k] = slotCount;
      slotCount += shares[k].slots(this);
      shareCounter[k] = counterCount;
      counterCount += shares[k].counters(this);
    }
  }

  /** May the method be the target of a dynamically dispatched call? */
  public boolean isDispatched() {
    return isDispatched(method);
  }

  /** The same of a method without a plan. */
  public static boolean isDispatched(ClassFile.Method method) {
    return !method.isStatic() && !method.name().startsWith("<");
  }

  private List<Integer> findBranches() {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < siteAt.length; i++) {
      int opcode = blocks.opcode(i);
      boolean isConditional =
          Opcodes.isJump(opcode)
              && opcode != Opcodes.GOTO
              && opcode != Opcodes.GOTO_W
              && opcode != Opcodes.JSR
              && opcode != Opcodes.JSR_W;
      if (isConditional || opcode == Opcodes.TABLESWITCH || opcode == Opcodes.LOOKUPSWITCH) {
        found.add(i);
      }
    }
    return found;
  }

  private int[] findSegments(boolean exact) {
    int[] found = new int[blocks.instructionCount()];
    int n = 0;
    for (int b = 0; b < blocks.count(); b++) {
      found[n++] = blocks.first(b);
      for (int i = blocks.first(b); exact && i < blocks.last(b); i++) {
        if (isThrowing(i)) {
          found[n++] = i + 1;
        }
      }
    }
    return Arrays.copyOf(found, n);
  }

  private void findSites(LeafMethods leaves) {
    for (int i = 0; i < siteAt.length; i++) {
      int opcode = blocks.opcode(i);
      if (!Opcodes.isInvoke(opcode)) {
        continue;
      }
      ClassFile.Member named = file.invoked(blocks.position(i));
      Leaf leaf =
          opcode == Opcodes.INVOKEDYNAMIC
              ? null
              : leaves.find(opcode, named.owner(), named.name(), named.descriptor());
      if (leaf == null) {
        Leaf open =
            opcode == Opcodes.INVOKEDYNAMIC
                ? null
                : leaves.findOpen(opcode, named.owner(), named.name(), named.descriptor());
        add(new Site(i, kindOf(opcode, open), slotCount++, false, open));
      } else if (leaf.upcalls()) {
        add(new Site(i, SiteKind.NATIVE, slotCount++, false, leaf));
      } else if (coverage == Coverage.FULL) {
        int segment = segmentOf(i);
        boolean derived = !Opcodes.isDispatched(opcode); // whose receiver may be null
        for (int k = segmentFirst[segment]; k < i; k++) {
          derived &= !isThrowing(k) || isSilentLeaf(k);
        }
        int counter = derived ? segmentCounter[segment] : counterCount++;
        add(new Site(i, SiteKind.LEAF, counter, derived, leaf));
      }
    }
  }

  private static SiteKind kindOf(int opcode, Leaf open) {
    if (open == null) {
      return SiteKind.CALL;
    }
    boolean isOfObject = open.owner().equals("java/lang/Object");
    return isOfObject && opcode != Opcodes.INVOKESPECIAL ? SiteKind.OPEN : SiteKind.EITHER;
  }

  private void add(Site site) {
    sites.add(site);
    siteAt[site.instruction()] = site;
  }

  /** May an instruction throw, or make the VM call Java? */
  boolean isThrowing(int instruction) {
    if (throwing == null) {
      throwing = new ThrowingInstructions(file, method, blocks).find();
    }
    return throwing[instruction];
  }

  /** Is it a call that can neither fail nor make the VM call Java? */
  boolean isSilentLeaf(int instruction) {
    Site site = siteAt[instruction];
    return site != null && site.kind() == SiteKind.LEAF && site.leaf().isSilent();
  }

  public ClassFile.Method method() {
    return method;
  }

  /** May the method be selected in the place of a leaf? */
  public boolean isStandIn() {
    return isStandIn;
  }

  public BasicBlocks blocks() {
    return blocks;
  }

  public Coverage coverage() {
    return coverage;
  }

  /** Counters in a node of this method; at least 1. */
  public int counterCount() {
    return counterCount;
  }

  /** Slots in a node of this method; at least 1. */
  public int slotCount() {
    return slotCount;
  }

  /** Can a node have so many counters and slots? An array of 255 dimensions alone has 255. */
  public boolean fits() {
    return counterCount <= MOST && slotCount <= MOST;
  }

  /** Slots between the own one and those of call sites. */
  public int sharedSlots() {
    return sharedSlots;
  }

  /** Number of call sites that have a slot. */
  public int siteSlotCount() {
    return siteSlots;
  }

  /** The first slot of a share, which asked for one. */
  public int slotOf(NodeShare share) {
    return shareSlot[indexOf(share)];
  }

  /** The first counter of a share, which asked for one. */
  public int counterOf(NodeShare share) {
    return shareCounter[indexOf(share)];
  }

  private int indexOf(NodeShare share) {
    int k = 0;
    while (shares[k] != share) {
      k++;
    }
    return k;
  }

  /** Number of instructions of a segment. */
  public int segmentLength(int segment) {
    int next = segment + 1 < segmentFirst.length ? segmentFirst[segment + 1] : siteAt.length;
    return next - segmentFirst[segment];
  }

  /** Instructions that branch on a condition, in order. */
  public List<Integer> branches() {
    if (branches == null) {
      branches = findBranches();
    }
    return branches;
  }

  /** Where the method makes objects, in order; none where calls only are counted. */
  public List<AllocationSite> allocations() {
    if (allocations == null) {
      boolean isCounted = coverage == Coverage.FULL || coverage == Coverage.SITES;
      allocations = isCounted ? AllocationSite.of(file, blocks, siteAt) : List.of();
    }
    return allocations;
  }

  /** The number in that list of the one at an instruction; -1 if it is none. */
  public int allocationNumber(int instruction) {
    List<AllocationSite> all = allocations();
    int low = 0;
    int high = all.size() - 1;
    while (low < high) {
      int middle = low + high >>> 1;
      if (all.get(middle).instruction() < instruction) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == high && all.get(low).instruction() == instruction ? low : -1;
  }

  /** The one of them at an instruction; null if it is none. */
  public AllocationSite allocationAt(int instruction) {
    int number = allocationNumber(instruction);
    return number < 0 ? null : allocations().get(number);
  }

  /** Number of segments: the basic blocks, or their stretches when exceptions are exact. */
  public int segmentCount() {
    return segmentFirst.length;
  }

  /** First instruction of a segment. */
  public int segmentFirst(int segment) {
    return segmentFirst[segment];
  }

  /** Counter of a segment; -1 if blocks are not counted. */
  public int segmentCounter(int segment) {
    return segmentCounter[segment];
  }

  /** The segment that holds an instruction. */
  public int segmentOf(int instruction) {
    int found = Arrays.binarySearch(segmentFirst, instruction);
    return found >= 0 ? found : -found - 2;
  }

  /** Counter of a basic block, which is that of its first segment; -1 if blocks are not counted. */
  public int blockCounter(int block) {
    return segmentCounter[segmentOf(blocks.first(block))];
  }

  /** Do calls have a counter apart from the entry block's? Counter 0 holds them in any case. */
  public boolean countsCallsApart() {
    return coverage != Coverage.FULL || blocks.entryIsTarget();
  }

  /** In the order of their instructions. */
  public List<Site> sites() {
    return sites;
  }

  /** Does a site name a method, of whatever class? */
  public boolean names(Site site, String name, String descriptor) {
    if (blocks.opcode(site.instruction()) == Opcodes.INVOKEDYNAMIC) {
      return false;
    }
    ClassFile.Member named = file.invoked(blocks.position(site.instruction()));
    return named.name().equals(name) && named.descriptor().equals(descriptor);
  }

  /** The site at an instruction; null if it is none. */
  public Site siteAt(int instruction) {
    return siteAt[instruction];
  }

  /** Must the thread's slot be the method's own before this instruction runs? */
  public boolean needsOwnSlot(int instruction) {
    if (needsOwn == null) {
      needsOwn = new OwnSlotNeeds(this).find();
    }
    return needsOwn[instruction];
  }

  /** Does the method ever set the thread's slot, so that its returns must give it back? */
  public boolean setsSlot() {
    if (slotCount > 1 || needsOwnSlot(0)) {
      return true;
    }
    for (ClassFile.Handler handler : method.code().handlers()) {
      if (needsOwnSlot(blocks.instructionAt(handler.handler()))) {
        return true;
      }
    }
    return false;
  }
}
