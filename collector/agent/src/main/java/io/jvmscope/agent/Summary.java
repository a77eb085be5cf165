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
        String reason = Exclusions.reason(file, method);
        exclusions
            .append(file.name())
            .append('\t')
            .append(method.name())
            .append('\t')
            .append(method.descriptor())
            .append('\t')
            .append(reason != null ? reason : defaultReason(method))
            .append('\n');
      }
    }
  }

  private static String defaultReason(ClassFile.Method method) {
    return method.name().equals("finalize")
        ? "empty: instrumented, it would make its class finalisable"
        : "instrumented, it would exceed a limit of class files";
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
