package io.jvmscope.agent;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.LeafMethods;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.classfile.MethodPlan.Coverage;
import io.jvmscope.classfile.Probes;
import java.util.Arrays;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassTooLargeException;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Turns a class into one that counts. Only bodies change: no member is added, so that a class can be
 * instrumented when it is loaded and when it is loaded already.
 *
 * <p>Runs in the program's VM: no lambda, stream or other invokedynamic here and below, which the VM
 * would link in the middle of the program.
 */
public final class Instrumenter {
  private final LeafMethods leaves;
  private final Probes probes;

  /** An instrumented class and how much of each method it counts. */
  public record Result(byte[] bytes, Coverage[] coverage) {}

  public Instrumenter(LeafMethods leaves, Probes probes) {
    this.leaves = leaves;
    this.probes = probes;
  }

  /**
   * Instruments a class.
   *
   * @param baseId id of the class's first method; the k-th has {@code baseId + k}
   * @param isJdk whether {@link Exclusions} holds
   * @param calls how the class names what it calls
   * @param edits further changes to the class, made after its methods were instrumented
   */
  public Result instrument(
      ClassFile file,
      int baseId,
      boolean isJdk,
      Calls calls,
      List<ClassEdit> edits) {
    int count = file.methods().size();
    Coverage[] coverage = new Coverage[count];
    for (int k = 0; k < count; k++) {
      ClassFile.Method method = file.methods().get(k);
      boolean counts =
          method.code() != null
              && !isEmptyFinalizer(method)
              && !(isJdk && Exclusions.reason(file, method) != null);
      coverage[k] = counts ? Coverage.FULL : Coverage.NONE;
    }
    while (true) {
      try {
        return new Result(write(file, baseId, coverage, calls, edits), coverage);
      } catch (MethodTooLargeException e) {
        lower(file, coverage, e.getMethodName(), e.getDescriptor());
      } catch (ClassTooLargeException e) {
        Arrays.fill(coverage, Coverage.NONE);
      }
    }
  }

  /** An empty finalize marks a class that needs no finalisation: with any code it would be one. */
  private static boolean isEmptyFinalizer(ClassFile.Method method) {
    return method.name().equals("finalize")
        && method.descriptor().equals("()V")
        && method.code().length() == 1;
  }

  /** A method passed 64 KB: counts less of it. */
  private static void lower(ClassFile file, Coverage[] coverage, String name, String descriptor) {
    for (ClassFile.Method method : file.methods()) {
      if (method.name().equals(name) && method.descriptor().equals(descriptor)) {
        Coverage now = coverage[method.index()];
        coverage[method.index()] = Coverage.values()[now.ordinal() + 1];
      }
    }
  }

  private byte[] write(
      ClassFile file, int baseId, Coverage[] coverage, Calls calls, List<ClassEdit> edits) {
    ClassReader reader = new ClassReader(file.bytes());
    ClassNode tree = new ClassNode();
    reader.accept(tree, ClassReader.EXPAND_FRAMES);
    for (int k = 0; k < coverage.length; k++) {
      if (coverage[k] != Coverage.NONE) {
        ClassFile.Method method = file.methods().get(k);
        MethodPlan plan = new MethodPlan(file, method, leaves, coverage[k], probes);
        MethodNode node = tree.methods.get(k);
        new MethodInstrumenter(file.name(), node, plan, baseId + k, file.majorVersion(), calls)
            .instrument();
      }
    }
    for (ClassEdit edit : edits) {
      edit.apply(tree, baseId);
    }
    ClassWriter writer = new ClassWriter(reader, 0);
    tree.accept(writer);
    return writer.toByteArray();
  }
}
