package io.jvmscope.dump;

import io.jvmscope.classfile.BasicBlocks;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.classfile.Opcodes;
import io.jvmscope.tables.CodeColumn;
import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Table;
import io.jvmscope.tables.TextColumn;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/** Writes tables {@code basic_block} and {@code instruction}, and {@code block_segment} if due. */
final class CodeTables {
  static final List<String> MNEMONICS =
      IntStream.range(0, Opcodes.count()).mapToObj(Opcodes::mnemonic).toList();

  private final Int32Column blockId = new Int32Column("basic_block_id");
  private final Int32Column methodId = new Int32Column("method_id");
  private final Int32Column blockIndex = new Int32Column("index");
  private final Int32Column blockFirst = new Int32Column("first_offset");
  private final Int32Column blockLast = new Int32Column("last_offset");
  private final Int32Column blockInstructions = new Int32Column("n_instructions");
  private final Table blocks;

  private final Int32Column instructionId = new Int32Column("instruction_id");
  private final Int32Column instructionBlock = new Int32Column("basic_block_id");
  private final Int32Column offset = new Int32Column("offset");
  private final CodeColumn opcode = new CodeColumn("opcode", MNEMONICS);
  private final TextColumn operand = new TextColumn("operand");
  private final Table instructions;

  private final Int32Column segmentId = new Int32Column("block_segment_id");
  private final Int32Column segmentBlock = new Int32Column("basic_block_id");
  private final Int32Column segmentIndex = new Int32Column("index");
  private final Int32Column segmentFirst = new Int32Column("first_offset");
  private final Int32Column segmentLast = new Int32Column("last_offset");
  private final Int32Column segmentInstructions = new Int32Column("n_instructions");
  private final Table segments; // null unless segments are recorded

  CodeTables(FrameWriter out, boolean hasSegments) throws IOException {
    blocks =
        new Table(
            out,
            "basic_block",
            blockId,
            methodId,
            blockIndex,
            blockFirst,
            blockLast,
            blockInstructions);
    instructions =
        new Table(out, "instruction", instructionId, instructionBlock, offset, opcode, operand);
    segments =
        !hasSegments
            ? null
            : new Table(
                out,
                "block_segment",
                segmentId,
                segmentBlock,
                segmentIndex,
                segmentFirst,
                segmentLast,
                segmentInstructions);
  }

  /** Writes the blocks of a method, with their instructions. */
  void write(int ofMethod, BasicBlocks code, Operands operands) throws IOException {
    for (int b = 0; b < code.count(); b++) {
      int id = (int) blocks.total();
      int first = code.first(b);
      int last = code.last(b);
      blockId.add(id);
      methodId.add(ofMethod);
      blockIndex.add(b);
      blockFirst.add(code.offset(first));
      blockLast.add(code.offset(last));
      blockInstructions.add(last - first + 1);
      blocks.endRow();
      for (int i = first; i <= last; i++) {
        instructionId.add((int) instructions.total());
        instructionBlock.add(id);
        offset.add(code.offset(i));
        opcode.add(code.opcode(i));
        operand.addUtf8(operands.of(code, i));
        instructions.endRow();
      }
    }
  }

  /** Writes the segments of a method's blocks. */
  void writeSegments(int firstBlock, MethodPlan plan) throws IOException {
    BasicBlocks code = plan.blocks();
    int index = 0;
    for (int s = 0; s < plan.segmentCount(); s++) {
      int first = plan.segmentFirst(s);
      boolean isLast = s + 1 == plan.segmentCount();
      int end = isLast ? code.instructionCount() : plan.segmentFirst(s + 1);
      int block = code.blockOf(first);
      index = code.first(block) == first ? 0 : index + 1;
      segmentId.add((int) segments.total());
      segmentBlock.add(firstBlock + block);
      segmentIndex.add(index);
      segmentFirst.add(code.offset(first));
      segmentLast.add(code.offset(end - 1));
      segmentInstructions.add(end - first);
      segments.endRow();
    }
  }

  void finish() throws IOException {
    blocks.finish();
    instructions.finish();
    if (segments != null) {
      segments.finish();
    }
  }
}
