package io.jvmscope.dump;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.MethodPlan.Coverage;
import io.jvmscope.tables.BoolColumn;
import io.jvmscope.tables.CodeColumn;
import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Table;
import io.jvmscope.tables.TextColumn;
import java.io.IOException;
import java.util.List;

/** Writes table {@code method}. */
final class MethodTable {
  /** How the executions of a method were counted; the words of column {@code coverage}. */
  enum Level {
    FULL,
    SITES,
    CALLS,
    LEAF,
    NONE;

    /** How far the agent counted in the body. */
    static Level of(Coverage coverage) {
      return switch (coverage) {
        case FULL -> FULL;
        case SITES -> SITES;
        case CALLS -> CALLS;
        case NONE -> NONE;
      };
    }
  }

  private static final List<String> LEVELS = List.of("full", "sites", "calls", "leaf", "none");

  private final Int32Column methodId = new Int32Column("method_id");
  private final Int32Column classId = new Int32Column("class_id");
  private final TextColumn name = new TextColumn("name");
  private final TextColumn descriptor = new TextColumn("descriptor");
  private final Int32Column accessFlags = new Int32Column("access_flags");
  private final BoolColumn isStatic = new BoolColumn("is_static");
  private final BoolColumn isNative = new BoolColumn("is_native");
  private final BoolColumn isAbstract = new BoolColumn("is_abstract");
  private final Int32Column maxStack = new Int32Column("max_stack");
  private final Int32Column maxLocals = new Int32Column("max_locals");
  private final Int32Column sizeBytes = new Int32Column("size_bytes");
  private final Int32Column firstLine = new Int32Column("first_line");
  private final Int32Column lastLine = new Int32Column("last_line");
  private final Int32Column parameters = new Int32Column("n_parameters");
  private final Int32Column integers = new Int32Column("n_integer_parameters");
  private final Int32Column floatings = new Int32Column("n_floating_parameters");
  private final Int32Column references = new Int32Column("n_reference_parameters");
  private final CodeColumn coverage = new CodeColumn("coverage", LEVELS);
  private final Table table;

  MethodTable(FrameWriter out) throws IOException {
    table =
        new Table(
            out,
            "method",
            methodId,
            classId,
            name,
            descriptor,
            accessFlags,
            isStatic,
            isNative,
            isAbstract,
            maxStack,
            maxLocals,
            sizeBytes,
            firstLine,
            lastLine,
            parameters,
            integers,
            floatings,
            references,
            coverage);
  }

  void write(int id, int ofClass, ClassFile.Method method, Level level, Operands text)
      throws IOException {
    methodId.add(id);
    classId.add(ofClass);
    name.add(method.name());
    descriptor.add(text.descriptor(method.descriptor()));
    accessFlags.add(method.access());
    isStatic.add(method.isStatic());
    isNative.add(method.isNative());
    isAbstract.add((method.access() & ClassFile.ACC_ABSTRACT) != 0);
    ClassFile.Code code = method.code();
    maxStack.add(code == null ? 0 : code.maxStack());
    maxLocals.add(code == null ? 0 : code.maxLocals());
    sizeBytes.add(code == null ? 0 : code.length());
    addLines(code);
    ParameterCounts counts = ParameterCounts.of(method.descriptor());
    parameters.add(counts.total());
    integers.add(counts.integers());
    floatings.add(counts.floatings());
    references.add(counts.references());
    coverage.add(level.ordinal());
    table.endRow();
  }

  private void addLines(ClassFile.Code code) {
    int first = Integer.MAX_VALUE;
    int last = -1;
    int[] lines = code == null ? new int[0] : code.lines();
    for (int i = 1; i < lines.length; i += 2) {
      first = Math.min(first, lines[i]);
      last = Math.max(last, lines[i]);
    }
    firstLine.addId(last < 0 ? -1 : first);
    lastLine.addId(last);
  }

  void finish() throws IOException {
    table.finish();
  }
}
