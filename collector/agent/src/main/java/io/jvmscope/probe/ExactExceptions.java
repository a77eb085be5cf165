package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.COUNTERS;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.Methods;
import io.jvmscope.classfile.BasicBlocks;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.classfile.MethodPlan.Coverage;
import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import java.io.IOException;
import java.util.Map;

/** Counts every stretch of instructions between two that may throw, where others count blocks. */
final class ExactExceptions implements Probe {
  private static final int SEGMENT_INTS = 2;

  @Override
  public String option() {
    return "exact_exceptions";
  }

  @Override
  public Probe chosenBy(Map<String, String> options) {
    return "true".equals(options.get(option())) ? this : null;
  }

  @Override
  public boolean splitsBlocks() {
    return true;
  }

  @Override
  public int codeRows(MethodPlan plan) {
    return plan.coverage() == Coverage.FULL ? plan.segmentCount() : 0;
  }

  /** The key of the first segment; of each the offset of its counter, and its instructions. */
  @Override
  public int[] pack(MethodPlan plan, FirstKeys keys) {
    int count = codeRows(plan);
    if (count == 0) {
      return NOTHING;
    }
    int[] share = new int[1 + SEGMENT_INTS * count];
    share[0] = keys.codeRow();
    for (int s = 0, at = 1; s < count; s++, at += SEGMENT_INTS) {
      share[at] = COUNTERS + 8 * plan.segmentCounter(s);
      share[at + 1] = plan.segmentLength(s);
    }
    return share;
  }

  @Override
  public CodeTable codeTable(FrameWriter out) throws IOException {
    return new SegmentTable(out);
  }

  @Override
  public ProbeTables tables(Recording recording) throws IOException {
    return new CountTable(recording, this);
  }

  @Override
  public String toString() {
    return option();
  }

  /** Writes table {@code block_segment}. */
  private static final class SegmentTable implements CodeTable {
    private final Int32Column id = new Int32Column("block_segment_id");
    private final Int32Column block = new Int32Column("basic_block_id");
    private final Int32Column index = new Int32Column("index");
    private final Int32Column first = new Int32Column("first_offset");
    private final Int32Column last = new Int32Column("last_offset");
    private final Int32Column instructions = new Int32Column("n_instructions");
    private final Table table;

    SegmentTable(FrameWriter out) throws IOException {
      table = new Table(out, "block_segment", id, block, index, first, last, instructions);
    }

    @Override
    public void write(MethodPlan plan, int firstBlock, int firstInstruction) throws IOException {
      if (plan.coverage() != Coverage.FULL) {
        return;
      }
      BasicBlocks code = plan.blocks();
      int indexInBlock = 0;
      for (int s = 0; s < plan.segmentCount(); s++) {
        int start = plan.segmentFirst(s);
        int end = start + plan.segmentLength(s);
        int ofBlock = code.blockOf(start);
        indexInBlock = code.first(ofBlock) == start ? 0 : indexInBlock + 1;
        id.add((int) table.total());
        block.add(firstBlock + ofBlock);
        index.add(indexInBlock);
        first.add(code.offset(start));
        last.add(code.offset(end - 1));
        instructions.add(end - start);
        table.endRow();
      }
    }

    @Override
    public void finish() throws IOException {
      table.finish();
    }
  }

  /** Writes table {@code context_segment}, and counts no bytecodes behind a throw. */
  private static final class CountTable implements ProbeTables {
    private final Arena arena;
    private final Methods methods;
    private final int share;
    private final Int32Column context = new Int32Column("context_id");
    private final Int32Column segment = new Int32Column("block_segment_id");
    private final Int64Column executions = new Int64Column("n_executions");
    private final Table table;

    CountTable(Recording recording, Probe probe) throws IOException {
      arena = recording.arena();
      methods = recording.methods();
      share = recording.indexOf(probe);
      table = new Table(recording.out(), "context_segment", context, segment, executions);
    }

    @Override
    public void write(ContextNode node) throws IOException {
      int[] packed = methods.packed();
      int length = methods.share(methods.layout(node.method), share);
      if (packed[length] == 0) {
        return;
      }
      int end = length + 1 + packed[length];
      int key = packed[length + 1];
      long bytecodes = 0;
      for (int at = length + 2; at < end; at += SEGMENT_INTS, key++) {
        long n = arena.getLong(node.address + packed[at]);
        if (n != 0) {
          bytecodes += n * packed[at + 1];
          context.add(node.id);
          segment.add(key);
          executions.add(n);
          table.endRow();
        }
      }
      node.bytecodes = bytecodes;
    }

    @Override
    public void finish() throws IOException {
      table.finish();
    }
  }
}
