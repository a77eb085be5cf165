package io.jvmscope.agent;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.ClassTree;
import io.jvmscope.classfile.LeafMethods;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.classfile.MethodPlan.Coverage;
import io.jvmscope.probe.Probe;
import io.jvmscope.probe.Probes;
import io.jvmscope.probe.Snippets;
import java.util.Arrays;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassTooLargeException;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Turns a class into one that counts. Only bodies change: no member is added, so that a class can
 * be instrumented when it is loaded and when it is loaded already; but for the words of objects,
 * which only classes that are being loaded get.
 *
 * <p>Runs in the program's VM: no lambda, stream or other invokedynamic here and below, which the
 * VM would link in the middle of the program.
 */
public final class Instrumenter {
  private final LeafMethods leaves;
  private final Probe[] probes;
  private final Snippets snippets; // null: none

  /** An instrumented class and how much of each method it counts. */
  public record Result(byte[] bytes, Coverage[] coverage) {}

  public Instrumenter(LeafMethods leaves, Probes probes) {
    this.leaves = leaves;
    this.probes = probes.chosen();
    this.snippets = probes.snippets();
  }

  /**
   * Instruments a class.
   *
   * @param baseId id of the class's first method; the k-th has {@code baseId + k}
   * @param isJdk whether {@link Exclusions} holds
   * @param calls how the class names what it calls
   * @param keys how it names fields
   * @param edits further changes to the class, made after its methods were instrumented
   */
  public Result instrument(
      ClassFile file,
      int baseId,
      boolean isJdk,
      Calls calls,
      FieldKeys keys,
      List<ClassEdit> edits) {
    int count = file.methods().size();
    Coverage[] coverage = new Coverage[count];
    for (int k = 0; k < count; k++) {
      ClassFile.Method method = file.methods().get(k);
      boolean counts =
          method.code() != null
              && !method.isEmptyFinalizer()
              && hasRoom(method.code())
              && !(isJdk && Exclusions.reason(file, method) != null);
      coverage[k] = counts ? Coverage.FULL : Coverage.NONE;
    }
    boolean[] bare = new boolean[count]; // has no snippets, which are the first to go
    Arrays.fill(bare, snippets == null);
    while (true) {
      try {
        byte[] bytes = write(file, baseId, coverage, bare, isJdk, calls, keys, edits);
        return new Result(bytes, coverage);
      } catch (MethodTooLargeException e) {
        if (bareNow(file, bare, e.getMethodName(), e.getDescriptor())) {
          continue;
        }
        lower(file, coverage, e.getMethodName(), e.getDescriptor());
      } catch (ClassTooLargeException e) {
        if (bareNow(file, bare, null, null)) {
          continue;
        }
        dropHalf(coverage, e);
      } catch (NodeTooLarge e) {
        coverage[e.index] = Coverage.values()[coverage[e.index].ordinal() + 1];
      } catch (MethodRefused e) {
        if (!bare[e.index]) {
          bare[e.index] = true;
          continue;
        }
        coverage[e.index] = Coverage.NONE;
      } catch (RuntimeException e) { // ASM cannot write it: long methods are where it fails
        if (bareNow(file, bare, null, null)) {
          continue;
        }
        lowerLongest(file, coverage, e);
      }
    }
  }

  /** Leaves the snippets out of a method, or of all; false if they were left out before. */
  private static boolean bareNow(ClassFile file, boolean[] bare, String name, String descriptor) {
    boolean isNew = false;
    for (ClassFile.Method method : file.methods()) {
      boolean isMeant =
          name == null || method.name().equals(name) && method.descriptor().equals(descriptor);
      isNew |= isMeant && !bare[method.index()];
      bare[method.index()] |= isMeant;
    }
    return isNew;
  }

  /**
   * A class that counts nothing, with edits only. Methods that have no room for the optional ones
   * do without them, and those that have none for the others stay as they are.
   */
  byte[] edit(ClassFile file, List<MethodEdit> optional, List<ClassEdit> edits) {
    boolean[] plain = new boolean[file.methods().size()]; // has none of the optional ones
    boolean[] untouched = new boolean[plain.length];
    while (true) {
      try {
        return write(file, optional, plain, untouched, edits);
      } catch (MethodTooLargeException e) {
        if (!bareNow(file, plain, e.getMethodName(), e.getDescriptor())
            && !bareNow(file, untouched, e.getMethodName(), e.getDescriptor())) {
          throw e;
        }
      } catch (MethodRefused e) {
        plain[e.index] = true;
      } catch (RuntimeException e) { // the constant pool is full, or ASM cannot write a method
        if (!bareNow(file, plain, null, null) && !bareNow(file, untouched, null, null)) {
          throw e;
        }
      }
    }
  }

  /** A method that cannot be instrumented; the others of its class can. */
  private static final class MethodRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int index;

    MethodRefused(int index, RuntimeException cause) {
      super(cause);
      this.index = index;
    }
  }

  /** A method whose node would have more slots than one can have. */
  private static final class NodeTooLarge extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int index;

    NodeTooLarge(int index) {
      this.index = index;
    }
  }

  /** Has a frame room for what counting takes of it? */
  static boolean hasRoom(ClassFile.Code code) {
    int locals = code.maxLocals() + CountingLocals.MOST + CountingLocals.SCRATCH + 1;
    int operands = code.maxStack() + MethodInstrumenter.STACK + MethodInstrumenter.HELD;
    return Math.max(locals, operands) <= ClassTree.MOST_OF_FRAME;
  }

  /** A method passed 64 KB: counts less of it. */
  private static void lower(ClassFile file, Coverage[] coverage, String name, String descriptor) {
    for (ClassFile.Method method : file.methods()) {
      if (method.name().equals(name) && method.descriptor().equals(descriptor)) {
        Coverage now = coverage[method.index()];
        if (now == Coverage.NONE) {
          throw new IllegalStateException(name + " is too large even without counters");
        }
        coverage[method.index()] = Coverage.values()[now.ordinal() + 1];
      }
    }
  }

  /** Counts less of the longest method; if that is left as it was already, of none. */
  private static void lowerLongest(ClassFile file, Coverage[] coverage, RuntimeException cause) {
    if (counted(coverage) == 0) {
      throw cause;
    }
    int longest = -1;
    for (ClassFile.Method method : file.methods()) {
      int k = method.index();
      boolean isLonger =
          method.code() != null
              && (longest < 0
                  || method.code().length() > file.methods().get(longest).code().length());
      longest = isLonger ? k : longest;
    }
    if (coverage[longest] == Coverage.NONE) {
      Arrays.fill(coverage, Coverage.NONE);
    } else {
      coverage[longest] = Coverage.values()[coverage[longest].ordinal() + 1];
    }
  }

  /** The constant pool passed 65,535 entries: counts half of the methods. */
  private static void dropHalf(Coverage[] coverage, ClassTooLargeException cause) {
    int counted = counted(coverage);
    if (counted == 0) {
      throw cause; // too large by the edits alone
    }
    int kept = 0;
    for (int k = 0; k < coverage.length; k++) {
      if (coverage[k] != Coverage.NONE && kept++ >= counted / 2) {
        coverage[k] = Coverage.NONE;
      }
    }
  }

  private static int counted(Coverage[] coverage) {
    int counted = 0;
    for (Coverage level : coverage) {
      counted += level == Coverage.NONE ? 0 : 1;
    }
    return counted;
  }

  private byte[] write(
      ClassFile file,
      int baseId,
      Coverage[] coverage,
      boolean[] bare,
      boolean isJdk,
      Calls calls,
      FieldKeys keys,
      List<ClassEdit> edits) {
    boolean hasWords = keys != null && keys.isWatched() && hasWords();
    if (edits.isEmpty() && counted(coverage) == 0 && !hasWords) {
      return file.bytes();
    }
    ClassReader reader = new ClassReader(file.bytes());
    ClassNode tree = treeOf(reader);
    for (int k = 0; k < coverage.length; k++) {
      if (coverage[k] != Coverage.NONE) {
        Snippets inserted = bare[k] ? null : snippets;
        instrument(
            file, k, tree.methods.get(k), baseId + k, coverage[k], inserted, isJdk, calls, keys);
      }
    }
    if (hasWords) {
      ShadowEdit.apply(file, tree, probes);
    }
    for (ClassEdit edit : edits) {
      edit.apply(tree, baseId);
    }
    return written(reader, tree);
  }

  private static byte[] write(
      ClassFile file,
      List<MethodEdit> optional,
      boolean[] plain,
      boolean[] untouched,
      List<ClassEdit> edits) {
    ClassReader reader = new ClassReader(file.bytes());
    ClassNode tree = treeOf(reader);
    for (ClassFile.Method method : file.methods()) {
      if (!plain[method.index()]) {
        edit(method, tree.methods.get(method.index()), optional);
      }
    }
    for (ClassEdit edit : edits) {
      edit.apply(tree, 0);
    }
    ClassNode original = treeOf(reader);
    for (int k = 0; k < untouched.length; k++) {
      if (untouched[k]) {
        tree.methods.set(k, original.methods.get(k));
      }
    }
    return written(reader, tree);
  }

  private static void edit(ClassFile.Method method, MethodNode node, List<MethodEdit> optional) {
    try {
      for (MethodEdit edit : optional) {
        edit.apply(method, node);
      }
    } catch (RuntimeException e) {
      throw new MethodRefused(method.index(), e);
    }
  }

  private static ClassNode treeOf(ClassReader reader) {
    ClassNode tree = new ClassTree();
    reader.accept(tree, ClassReader.EXPAND_FRAMES);
    return tree;
  }

  private static byte[] written(ClassReader reader, ClassNode tree) {
    Calls.nameThroughSuperclass(tree);
    ClassWriter writer = new ClassWriter(reader, 0);
    tree.accept(writer);
    return writer.toByteArray();
  }

  private boolean hasWords() {
    return ObjectCode.isWanted(probes) || UseCode.isWanted(probes);
  }

  private void instrument(
      ClassFile file,
      int index,
      MethodNode node,
      int id,
      Coverage coverage,
      Snippets inserted,
      boolean isJdk,
      Calls calls,
      FieldKeys keys) {
    try {
      ClassFile.Method method = file.methods().get(index);
      MethodPlan plan = new MethodPlan(file, method, leaves, coverage, probes);
      if (!plan.fits()) {
        throw new NodeTooLarge(index);
      }
      new MethodInstrumenter(file, node, plan, probes, id, calls, keys, inserted, isJdk)
          .instrument();
    } catch (NodeTooLarge e) {
      throw e;
    } catch (RuntimeException e) {
      throw new MethodRefused(index, e);
    }
  }
}
