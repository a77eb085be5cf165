package io.jvmscope.dump;

import static jdk.internal.perf.ArenaLayout.COUNTERS;

import io.jvmscope.arena.Methods;
import io.jvmscope.classfile.BasicBlocks;
import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.classfile.MethodPlan.Coverage;
import io.jvmscope.classfile.MethodPlan.SiteKind;
import io.jvmscope.classfile.Opcodes;
import io.jvmscope.probe.FirstKeys;
import io.jvmscope.probe.Probe;
import java.util.Set;
import java.util.function.ToIntFunction;

/** Packs plans into the layouts of {@link Methods}. */
final class LayoutPacker {
  private static final String METHOD_HANDLE = "java/lang/invoke/MethodHandle";
  private static final String VAR_HANDLE = "java/lang/invoke/VarHandle";

  private static final Set<String> POLYMORPHIC =
      Set.of(
          "invoke",
          "invokeExact",
          "invokeBasic",
          "linkToVirtual",
          "linkToStatic",
          "linkToSpecial",
          "linkToInterface",
          "linkToNative");

  private final Methods methods;
  private final Symbols symbols;
  private final Probe[] probes;
  private final int[] codeRows; // by probe, those of the methods so far
  private final IntStack leaves = new IntStack(); // where packed sites hold a leaf's number

  LayoutPacker(Methods methods, Symbols symbols, Probe[] probes) {
    this.methods = methods;
    this.probes = probes;
    this.codeRows = new int[probes.length];
    this.symbols = symbols;
  }

  /**
   * Packs the plan of a method.
   *
   * @param firstBlock key of its first basic block
   * @param firstInstruction key of its first instruction
   * @param types gives the names in its class their meaning
   * @return where the layout starts
   */
  int pack(
      ClassFile file,
      MethodPlan plan,
      int firstBlock,
      int firstInstruction,
      ToIntFunction<String> types) {
    int nBlocks = plan.coverage() == Coverage.FULL ? plan.blocks().count() : 0;
    int nSites = plan.sites().size();
    int sitesAt = Methods.HEAD_INTS + Methods.BLOCK_INTS * nBlocks;
    int[] layout = new int[sitesAt + Methods.SITE_INTS * nSites];
    layout[Methods.SLOTS] = plan.slotCount();
    layout[Methods.COUNTERS] = plan.counterCount();
    layout[Methods.BLOCKS] = nBlocks;
    layout[Methods.FIRST_BLOCK] = firstBlock;
    layout[Methods.SITES] = nSites;
    layout[Methods.SHARED_SLOTS] = plan.sharedSlots();
    putBlocks(plan, layout, nBlocks);
    putSites(file, plan, layout, sitesAt);
    int start = methods.pack(layout);
    for (int s = 0; s < nSites; s++) {
      if (layout[sitesAt + Methods.SITE_INTS * s] < 0) {
        leaves.push(start + sitesAt + Methods.SITE_INTS * s + 2);
      }
    }
    for (int k = 0; k < probes.length; k++) {
      FirstKeys keys = new FirstKeys(firstBlock, firstInstruction, codeRows[k], types);
      int[] share = probes[k].pack(plan, keys);
      codeRows[k] += probes[k].codeRows(plan);
      methods.pack(new int[] {share.length});
      methods.pack(share);
    }
    return start;
  }

  private static void putBlocks(MethodPlan plan, int[] layout, int nBlocks) {
    BasicBlocks blocks = plan.blocks();
    int at = Methods.HEAD_INTS;
    for (int b = 0; b < nBlocks; b++, at += Methods.BLOCK_INTS) {
      layout[at] = COUNTERS + 8 * plan.blockCounter(b);
      layout[at + 1] = blocks.last(b) - blocks.first(b) + 1;
    }
  }

  private void putSites(ClassFile file, MethodPlan plan, int[] layout, int start) {
    BasicBlocks blocks = plan.blocks();
    int at = start;
    int ordinal = 0;
    int counted = 0; // instructions whose invokes are in the ordinal
    for (MethodPlan.Site site : plan.sites()) {
      for (; counted < site.instruction(); counted++) {
        ordinal += Opcodes.isInvoke(blocks.opcode(counted)) ? 1 : 0;
      }
      boolean isLeaf = site.kind() == SiteKind.LEAF;
      layout[at] = isLeaf ? ~site.index() : site.index();
      layout[at + 1] = ordinal;
      int counter = plan.segmentCounter(plan.segmentOf(site.instruction()));
      layout[at + 4] = counter < 0 ? 0 : COUNTERS + 8 * counter;
      if (isLeaf) {
        layout[at + 2] = site.leaf().methodId();
      } else {
        int opcode = blocks.opcode(site.instruction());
        ClassFile.Member named = file.invoked(blocks.position(site.instruction()));
        layout[at + 2] = symbols.ofMethod(named.name(), named.descriptor());
        layout[at + 3] = symbols.of(named.owner()) << Methods.OWNER_SHIFT | flags(opcode, named);
      }
      at += Methods.SITE_INTS;
    }
  }

  private static int flags(int opcode, ClassFile.Member named) {
    if (opcode == Opcodes.INVOKEDYNAMIC || isPolymorphic(named)) {
      boolean mayConstruct = named.name().equals("linkToSpecial");
      return mayConstruct ? Methods.DYNAMIC | Methods.CONSTRUCTS : Methods.DYNAMIC;
    }
    if (named.name().equals("<init>")) {
      return Methods.BOUND | Methods.CONSTRUCTS;
    }
    boolean isBound = opcode == Opcodes.INVOKESTATIC || opcode == Opcodes.INVOKESPECIAL;
    return isBound ? Methods.BOUND : Methods.VIRTUAL;
  }

  /** Is the named method signature polymorphic (JVMS 2.9.3), or one of its linkers? */
  private static boolean isPolymorphic(ClassFile.Member named) {
    String name = named.name();
    if (named.owner().equals(METHOD_HANDLE)) {
      return POLYMORPHIC.contains(name);
    }
    return named.owner().equals(VAR_HANDLE)
        && !name.equals("getMethodHandle")
        && (name.startsWith("get")
            || name.startsWith("set")
            || name.startsWith("compareAnd")
            || name.startsWith("weakCompareAnd"));
  }

  /** Puts the canonical ids of leaves in the place of the agent's, once all methods are known. */
  void resolveLeaves() {
    int[] packed = methods.packed();
    while (leaves.size() > 0) {
      int at = leaves.pop();
      packed[at] = methods.id(packed[at]);
    }
  }
}
