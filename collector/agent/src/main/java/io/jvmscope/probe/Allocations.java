package io.jvmscope.probe;

import io.jvmscope.classfile.AllocationSite;
import io.jvmscope.classfile.AllocationSite.Kind;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Table;
import java.io.IOException;

/**
 * Counts the objects that are made. A node has a counter for each {@code new}, whose objects are of
 * one size. Sites of arrays have a slot, one for each dimension, with a chain of counts by the
 * length in words; sites of native methods have a slot with a chain by class, and below the class
 * of an array a chain by length. What makes an object may fail, so all is counted behind it.
 */
final class Allocations extends NamedProbe {
  private static final String RUNTIME = "jdk/internal/perf/AllocationProbe";
  private static final RuntimeMethod ARRAY = new RuntimeMethod(RUNTIME, "madeArray", "(IJII)V");
  private static final RuntimeMethod NESTED =
      new RuntimeMethod(RUNTIME, "madeNested", "(Ljava/lang/Object;JIII)V");
  private static final RuntimeMethod RESULT =
      new RuntimeMethod(RUNTIME, "madeResult", "(Ljava/lang/Object;JI)V");
  private static final RuntimeMethod EITHER =
      new RuntimeMethod(RUNTIME, "madeResultUnless", "(Ljava/lang/Object;Ljava/lang/Thread;JII)V");
  private static final RuntimeMethod CLONE =
      new RuntimeMethod(RUNTIME, "madeClone", "(Ljava/lang/Object;JI)V");
  private static final RuntimeMethod OPEN_CLONE =
      new RuntimeMethod(RUNTIME, "madeCloneOf", "(Ljava/lang/Object;Ljava/lang/Object;JI)V");
  private static final RuntimeMethod ELEMENT =
      new RuntimeMethod(
          RUNTIME, "madeElement", "(Ljava/lang/Object;ILjava/lang/Object;JI)Ljava/lang/Object;");
  private static final RuntimeMethod[] METHODS = {
    ARRAY, NESTED, RESULT, EITHER, CLONE, OPEN_CLONE, ELEMENT
  };

  /** Numbers that {@link #pack} writes for a site. */
  static final int SITE_INTS = 4;

  Allocations() {
    super("allocations");
  }

  @Override
  public int slots(MethodPlan plan) {
    int slots = 0;
    for (AllocationSite site : plan.allocations()) {
      slots += site.isCounter() ? 0 : site.dimensions();
    }
    return slots;
  }

  @Override
  public int counters(MethodPlan plan) {
    int counters = 0;
    for (AllocationSite site : plan.allocations()) {
      counters += site.isCounter() ? 1 : 0;
    }
    return counters;
  }

  @Override
  public RuntimeMethod[] runtimeMethods() {
    return METHODS;
  }

  @Override
  public void atAllocation(Code code, int instruction) {
    AllocationSite site = code.plan().allocationAt(instruction);
    if (site == null) {
      return;
    }
    if (site.isCounter()) {
      code.count(code.plan().counterOf(this) + site.place());
      return;
    }
    code.loadMade();
    if (site.kind() == Kind.ARRAY) {
      code.takeLength();
    }
    pushPlace(code, site);
    if (site.kind() == Kind.ARRAY) {
      code.push(elementsShift(site.type(), 1));
      code.call(ARRAY);
    } else {
      code.push(site.dimensions());
      code.push(elementsShift(site.type(), site.dimensions()));
      code.call(NESTED);
    }
  }

  private void pushPlace(Code code, AllocationSite site) {
    code.loadNode();
    code.pushSlot(code.plan().slotOf(this) + site.place());
  }

  /** How many elements, as a power of two, make a word of four bytes, or are more than one. */
  static int elementsShift(String type, int dimensions) {
    return switch (type.charAt(dimensions)) {
      case 'Z', 'B' -> 2;
      case 'C', 'S' -> 1;
      default -> 0;
    };
  }

  @Override
  public void atCall(Code code, int instruction) {
    AllocationSite site = code.plan().allocationAt(instruction);
    if (site != null && site.kind() == Kind.ELEMENT) {
      code.loadTwo();
    }
  }

  @Override
  public void atResult(Code code, int instruction) {
    AllocationSite site = code.plan().allocationAt(instruction);
    if (site != null && site.kind() == Kind.ELEMENT) {
      pushPlace(code, site);
      code.call(ELEMENT);
    } else if (site != null && site.kind() == Kind.EITHER) {
      code.loadMade();
      code.loadThread();
      pushPlace(code, site);
      code.pushSlot(code.plan().siteAt(instruction).index());
      code.call(EITHER);
    } else if (site != null && site.kind() != Kind.OPEN_CLONE) {
      code.loadMade();
      pushPlace(code, site);
      code.call(site.kind() == Kind.CLONE ? CLONE : RESULT);
    }
  }

  @Override
  public void atClone(Code code, int instruction) {
    AllocationSite site = code.plan().allocationAt(instruction);
    if (site != null) {
      code.loadTwo();
      pushPlace(code, site);
      code.call(OPEN_CLONE);
    }
  }

  /** Of each site the key of its instruction, and for each dimension where it counts and what. */
  @Override
  public int[] pack(MethodPlan plan, FirstKeys keys) {
    int count = counters(plan) + slots(plan);
    if (count == 0) {
      return NOTHING;
    }
    int[] share = new int[SITE_INTS * count];
    int at = 0;
    for (AllocationSite site : plan.allocations()) {
      int first = site.isCounter() ? plan.counterOf(this) : plan.slotOf(this);
      for (int k = 0; k < site.dimensions(); k++) {
        share[at] = keys.instruction() + site.instruction();
        share[at + 1] = site.kind().ordinal();
        share[at + 2] = first + site.place() + k;
        share[at + 3] =
            site.type() == null ? -1 : keys.types().applyAsInt(site.type().substring(k));
        at += SITE_INTS;
      }
    }
    return share;
  }

  @Override
  public int codeRows(MethodPlan plan) {
    return plan.allocations().size();
  }

  @Override
  public CodeTable codeTable(FrameWriter out) throws IOException {
    return new SiteTable(out);
  }

  @Override
  public ProbeTables tables(Recording recording) throws IOException {
    return new AllocationTables(recording, this);
  }

  /** Writes table {@code allocation_site}. */
  private static final class SiteTable implements CodeTable {
    private final Int32Column instruction = new Int32Column("instruction_id");
    private final Int32Column line = new Int32Column("line");
    private final Table table;

    SiteTable(FrameWriter out) throws IOException {
      table = new Table(out, "allocation_site", instruction, line);
    }

    @Override
    public void write(MethodPlan plan, int firstBlock, int firstInstruction) throws IOException {
      for (AllocationSite site : plan.allocations()) {
        int offset = plan.blocks().offset(site.instruction());
        instruction.add(firstInstruction + site.instruction());
        line.addId(plan.method().code().lineAt(offset));
        table.endRow();
      }
    }

    @Override
    public void finish() throws IOException {
      table.finish();
    }
  }
}
