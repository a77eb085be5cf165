package io.jvmscope.dump;

import io.jvmscope.classfile.BasicBlocks;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.classfile.Opcodes;
import io.jvmscope.probe.CodeTable;
import io.jvmscope.probe.Probe;
import io.jvmscope.tables.CodeColumn;
import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Table;
import io.jvmscope.tables.TextColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Writes tables {@code basic_block} and {@code instruction}, and those of probes about code. */
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

  private final List<CodeTable> ofProbes = new ArrayList<>();

  CodeTables(FrameWriter out, Probe[] probes) throws IOException {
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
    for (Probe probe : probes) {
      CodeTable table = probe.codeTable(out);
      if (table != null) {
        ofProbes.add(table);
      }
    }
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

  /** Writes what probes tell about the code of a method, whose instructions come next. */
  void writeProbes(MethodPlan plan, int firstBlock) throws IOException {
    for (CodeTable table : ofProbes) {
      table.write(plan, firstBlock, (int) instructions.total());
    }
  }

  void finish() throws IOException {
    blocks.finish();
    instructions.finish();
    for (CodeTable table : ofProbes) {
      table.finish();
    }
  }
}
