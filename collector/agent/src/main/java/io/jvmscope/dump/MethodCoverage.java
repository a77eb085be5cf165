package io.jvmscope.dump;

import io.jvmscope.arena.RecordingDamaged;
import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.JdkIndex;
import io.jvmscope.classfile.MethodPlan.Coverage;
import io.jvmscope.dump.MethodTable.Level;
import java.io.IOException;
import java.util.Arrays;

/** How much was counted of the methods of one class after the other, and why not more. */
final class MethodCoverage {
  private final RecordingOptions options;
  private final JdkIndex index; // null if no prepared JDK was named
  private final ExclusionReasons reasons;

  private LoadedClass loaded;
  private ClassFile file;
  private Coverage[] coverage;
  private int numbered; // methods of the class that have a number of their own

  MethodCoverage(RecordingOptions options, JdkIndex index) throws IOException {
    this.options = options;
    this.index = index;
    this.reasons = ExclusionReasons.read(options.cache());
  }

  /** Begins a class. */
  void begin(LoadedClass newLoaded, ClassFile newFile) {
    loaded = newLoaded;
    file = newFile;
    coverage = loaded.isPrepared() ? preparedCoverage() : loaded.coverage();
    if (!loaded.isPrepared()) {
      numbered = file.methods().size();
    }
  }

  private Coverage[] preparedCoverage() {
    int row = index == null ? -1 : index.row(file.name());
    if (row < 0) {
      throw new RecordingDamaged("class log: " + file.name() + " is not in the prepared JDK");
    }
    numbered = index.methodCount(row);
    boolean isInLog = loaded.coverage().length > 0;
    Coverage[] prepared = isInLog ? loaded.coverage() : index.coverage(row);
    if (prepared.length != file.methods().size()) { // the user's patch of it could not be counted
      prepared = new Coverage[file.methods().size()];
      Arrays.fill(prepared, Coverage.NONE);
    }
    return prepared;
  }

  /** Is a method's number its own? Those of a patch that was not counted are other methods'. */
  boolean isNumbered(ClassFile.Method method) {
    return method.index() < numbered;
  }

  /** How much is counted of a method of the class. */
  Level level(ClassFile.Method method) {
    if (method.code() == null && !method.isNative()) {
      return Level.FULL; // abstract: there is nothing to count
    }
    int number = loaded.baseId() + method.index();
    if (loaded.isPrepared()
        && index.isLeaf(file.name(), method.name(), method.descriptor(), number)) {
      return Level.LEAF;
    }
    if (loaded.isUninstrumented()) {
      return Level.NONE;
    }
    if (method.code() == null) { // the agent wraps natives where it may add methods
      return loaded.isPrepared() || loaded.isHidden() ? Level.NONE : Level.FULL;
    }
    return coverage.length == 0 ? Level.FULL : Level.of(coverage[method.index()]);
  }

  /** Why the whole class was left as it is; null if it was not. */
  String reason() {
    if (!loaded.isUninstrumented()) {
      return null;
    }
    String failure = options.failure(loaded.name());
    return failure == null ? "excluded by --include or --exclude" : failure;
  }

  /** Why no more than the level was counted of a method; null if nothing is amiss. */
  String reason(ClassFile.Method method, Level level) {
    if (level == Level.FULL) {
      return null;
    }
    if (loaded.isPrepared()) {
      String reason = reasons.find(file.name(), method.name(), method.descriptor());
      if (reason != null) {
        return reason;
      }
    }
    if (method.isEmptyFinalizer()) {
      return ClassFile.EMPTY_FINALIZER;
    }
    return switch (level) {
      case FULL, LEAF -> null;
      case SITES -> "too large to count its basic blocks: the JVM's limit is 64 KB";
      case CALLS -> "too large to count its blocks and call sites: the JVM's limit is 64 KB";
      case NONE ->
          !method.isNative()
              ? "cannot be instrumented: the JVM's limits, or a malformed class file"
              : loaded.isPrepared()
                  ? "the VM calls its target instead"
                  : "native method of a hidden class: its calls are not counted";
    };
  }
}
