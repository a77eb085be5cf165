package io.jvmscope.dump;

import io.jvmscope.arena.RecordingDamaged;
import io.jvmscope.classfile.BasicBlocks;
import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.ClassFormatException;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.dump.CanonicalOrder.Place;
import io.jvmscope.dump.MethodTable.Level;
import io.jvmscope.probe.Probe;
import io.jvmscope.tables.FrameWriter;
import java.io.IOException;
import java.util.List;

/**
 * Writes what stands in the class files: tables {@code class}, {@code field}, {@code method},
 * {@code basic_block}, {@code instruction}, those of probes about code, and the files themselves.
 * It is much text that nothing else waits for, so a lane does it beside the walks over the trees.
 */
final class FileTables {
  /**
   * A method and its code.
   *
   * @param blocks null if it has no code
   * @param plan null if nothing is counted in it
   * @param firstBlock key of its first basic block
   */
  record OfMethod(
      int id,
      ClassFile.Method method,
      Level level,
      BasicBlocks blocks,
      MethodPlan plan,
      int firstBlock) {}

  /**
   * A class and its methods.
   *
   * @param path of its file in the archive
   * @param module null if it is in none of the JDK's
   * @param superclass id, -1 if there is none or it was never loaded
   * @param interfaces ids of the direct superinterfaces that were loaded
   */
  record OfClass(
      int id,
      Place place,
      ClassFile file,
      String path,
      String module,
      int superclass,
      int[] interfaces,
      Operands text,
      List<OfMethod> methods) {}

  private final FrameWriter out;
  private final ClassTables classes;
  private final MethodTable methods;
  private final CodeTables code;

  FileTables(FrameWriter out, Probe[] probes) throws IOException {
    this.out = out;
    classes = new ClassTables(out);
    methods = new MethodTable(out);
    code = new CodeTables(out, probes);
  }

  /** Writes a class; classes come in canonical order. */
  void write(OfClass row) throws IOException {
    out.classFile(row.path(), row.file().bytes());
    try {
      classes.write(
          row.id(),
          row.place(),
          row.file(),
          row.module(),
          row.superclass(),
          row.interfaces(),
          row.text());
      for (OfMethod method : row.methods()) {
        write(row, method);
      }
    } catch (ClassFormatException e) {
      throw damaged(row.place(), e);
    }
  }

  private void write(OfClass row, OfMethod method) throws IOException {
    if (method.plan() != null) {
      code.writeProbes(method.plan(), method.firstBlock());
    }
    if (method.blocks() != null) {
      code.write(method.id(), method.blocks(), row.text());
    }
    methods.write(method.id(), row.id(), method.method(), method.level(), row.text());
  }

  /** What to throw if a logged class file is none. */
  static RecordingDamaged damaged(Place place, ClassFormatException e) {
    return new RecordingDamaged("class log: " + place.name() + ": " + e.getMessage());
  }

  void finish() throws IOException {
    classes.finish();
    methods.finish();
    code.finish();
  }
}
