package io.jvmscope.agent;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.MethodPlan.Coverage;
import io.jvmscope.probe.Probes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a preparation says of itself: {@code prepared.json}, and {@code exclusions.tsv}. */
final class Summary {
  private final StringBuilder exclusions = new StringBuilder();
  private long classCount;
  private long methodCount;

  /** Notes a class, once, and which of its methods are not counted in full. */
  void add(ClassFile file, Coverage[] coverage) {
    classCount++;
    methodCount += coverage.length;
    for (ClassFile.Method method : file.methods()) {
      if (method.code() != null && coverage[method.index()] != Coverage.FULL) {
        String reason = reason(file, method);
        exclude(
            file,
            method,
            reason != null ? reason : "instrumented, it would exceed a limit of class files");
      }
    }
  }

  /** Notes which methods of a class will not be counted once the agent instruments it. */
  void addUnprepared(ClassFile file) {
    for (ClassFile.Method method : file.methods()) {
      String reason = method.code() == null ? null : reason(file, method);
      if (reason != null) {
        exclude(file, method, reason);
      }
    }
  }

  private void exclude(ClassFile file, ClassFile.Method method, String reason) {
    exclusions
        .append(file.name())
        .append('\t')
        .append(method.name())
        .append('\t')
        .append(method.descriptor())
        .append('\t')
        .append(reason)
        .append('\n');
  }

  private static String reason(ClassFile file, ClassFile.Method method) {
    return method.isEmptyFinalizer() ? ClassFile.EMPTY_FINALIZER : Exclusions.reason(file, method);
  }

  void write(Path out, Probes probes) throws IOException {
    Files.writeString(out.resolve("exclusions.tsv"), exclusions);
    String json =
        String.format(
            "{\"java_version\": \"%s\", \"vm_version\": \"%s\", \"classes\": %d, \"methods\": %d,"
                + " \"probes\": \"%s\"}%n",
            System.getProperty("java.version"),
            System.getProperty("java.vm.version"),
            classCount,
            methodCount,
            probes);
    Files.writeString(out.resolve("prepared.json"), json);
  }
}
