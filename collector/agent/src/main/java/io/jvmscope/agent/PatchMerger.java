package io.jvmscope.agent;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.JdkIndex;
import io.jvmscope.probe.Probes;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Instruments a user's own patch of java.base, on top of a prepared JDK. A class that has not the
 * methods of the JDK's stays as it is: their ids are given.
 */
final class PatchMerger {
  private PatchMerger() {}

  /**
   * Writes {@code java.base.jar}.
   *
   * @param paths directories and jars, the first of several wins
   * @param base a prepared JDK
   */
  static void merge(String paths, Path base, Path out, Probes probes) throws IOException {
    Files.createDirectories(out);
    JdkIndex index = JdkIndex.read(base);
    JdkFields fields = FieldKeys.areWanted(probes.chosen()) ? JdkFields.read(base) : null;
    Instrumenter instrumenter = new Instrumenter(index, probes);
    PatchJar patch = new PatchJar();
    String[] parts = paths.split(File.pathSeparator);
    for (int i = parts.length - 1; i >= 0; i--) { // the first of several wins
      for (byte[] bytes : classesOf(Path.of(parts[i]))) {
        ClassFile file = new ClassFile(bytes);
        int row = index.row(file.name());
        boolean fits = row >= 0 && index.methodCount(row) == file.methods().size();
        patch.add(
            file.name(), fits ? mergeOne(file, index, row, instrumenter, probes, fields) : bytes);
      }
    }
    patch.write(out.resolve("java.base.jar"));
  }

  private static byte[] mergeOne(
      ClassFile file,
      JdkIndex index,
      int row,
      Instrumenter instrumenter,
      Probes probes,
      JdkFields fields) {
    List<ClassEdit> edits = JdkEdits.of(file, Calls.DIRECT, true, probes);
    int baseId = index.baseId(row);
    FieldKeys keys = JdkFields.keysOf(fields, file.name());
    return instrumenter.instrument(file, baseId, true, Calls.DIRECT, keys, edits).bytes();
  }

  private static List<byte[]> classesOf(Path path) throws IOException {
    List<byte[]> found = new ArrayList<>();
    if (Files.isDirectory(path)) {
      try (Stream<Path> files = Files.walk(path)) {
        for (Path file : files.filter(p -> p.toString().endsWith(".class")).sorted().toList()) {
          found.add(Files.readAllBytes(file));
        }
      }
    } else {
      try (FileSystem jar = FileSystems.newFileSystem(path)) {
        for (Path root : jar.getRootDirectories()) {
          found.addAll(classesOf(root));
        }
      }
    }
    return found;
  }
}
