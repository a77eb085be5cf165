package io.jvmscope.dump;

import io.jvmscope.arena.Methods;
import io.jvmscope.classfile.BasicBlocks;
import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.Opcodes;
import io.jvmscope.tables.CodeColumn;
import io.jvmscope.tables.Column;
import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Table;
import io.jvmscope.tables.TextColumn;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The invoke instructions of all methods, kept until it is known which methods the VM called from,
 * since those have a call site more and the keys depend on it. Six numbers an instruction.
 */
final class CallSites {
  private static final int INTS = 6;

  private final Symbols symbols;
  private int[] sites = new int[INTS * 4096]; // offset, opcode, owner, name, descriptor, line
  private int used;

  CallSites(Symbols symbols) {
    this.symbols = symbols;
  }

  /** Adds the invoke instructions of a method; how many they are. */
  int add(ClassFile file, ClassFile.Code code, BasicBlocks blocks, Operands text) {
    int count = 0;
    for (int i = 0; i < blocks.instructionCount(); i++) {
      int opcode = blocks.opcode(i);
      if (!Opcodes.isInvoke(opcode)) {
        continue;
      }
      if (used == sites.length) {
        sites = Arrays.copyOf(sites, 2 * used);
      }
      ClassFile.Member named = file.invoked(blocks.position(i));
      sites[used] = blocks.offset(i);
      sites[used + 1] = opcode;
      sites[used + 2] = symbols.of(text.owner(named.owner()));
      sites[used + 3] = symbols.of(named.name());
      sites[used + 4] = symbols.of(text.descriptor(named.descriptor()));
      sites[used + 5] = code.lineAt(blocks.offset(i));
      used += INTS;
      count++;
    }
    return count;
  }

  /** Writes table {@code call_site}. */
  void write(FrameWriter out, Methods methods) throws IOException {
    Int32Column id = new Int32Column("call_site_id");
    Int32Column caller = new Int32Column("caller_id");
    Int32Column offset = new Int32Column("offset");
    CodeColumn opcode = new CodeColumn("opcode", CodeTables.MNEMONICS);
    TextColumn owner = new TextColumn("owner");
    TextColumn name = new TextColumn("name");
    TextColumn descriptor = new TextColumn("descriptor");
    Int32Column line = new Int32Column("line");
    Table table =
        new Table(out, "call_site", id, caller, offset, opcode, owner, name, descriptor, line);
    byte[][] texts = new byte[symbols.size()][]; // encoded when they are first written
    int at = 0;
    for (int method = 0; method < methods.count(); method++) {
      if (methods.hasUpcalls(method)) {
        id.add((int) table.total());
        caller.add(method);
        for (Column column : new Column[] {offset, opcode, owner, name, descriptor, line}) {
          column.addNull();
        }
        table.endRow();
      }
      for (int k = 0; k < methods.invokes(method); k++, at += INTS) {
        id.add((int) table.total());
        caller.add(method);
        offset.add(sites[at]);
        opcode.add(sites[at + 1]);
        owner.addUtf8(encoded(sites[at + 2], texts));
        name.addUtf8(encoded(sites[at + 3], texts));
        descriptor.addUtf8(encoded(sites[at + 4], texts));
        line.addId(sites[at + 5]);
        table.endRow();
      }
    }
    table.finish();
  }

  private byte[] encoded(int symbol, byte[][] known) {
    if (symbol < 0) {
      return null;
    }
    if (known[symbol] == null) {
      known[symbol] = symbols.text(symbol).getBytes(StandardCharsets.UTF_8);
    }
    return known[symbol];
  }
}
