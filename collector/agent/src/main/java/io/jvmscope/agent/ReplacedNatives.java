package io.jvmscope.agent;

import io.jvmscope.classfile.ClassFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Natives that compilers replace by code of their own: calls of these reach no function. */
final class ReplacedNatives {
  private static final String FILE = "replaced-natives.txt";

  private final StringBuilder lines = new StringBuilder();

  /** Adds those of a class. */
  void add(ClassFile file) {
    for (ClassFile.Method method : file.methods()) {
      if (method.isNative() && method.isAnnotated("IntrinsicCandidate")) {
        lines.append('L').append(file.name()).append("; ");
        lines.append(method.name()).append(method.descriptor()).append('\n');
      }
    }
  }

  /** Writes the file that the library for native code reads. */
  void write(Path directory) throws IOException {
    Files.writeString(directory.resolve(FILE), lines);
  }

  /** Writes the file of the JDK that runs; only its first module has such methods. */
  static void writeAlone(Path directory) throws IOException {
    ReplacedNatives natives = new ReplacedNatives();
    for (JdkImageClasses.Source source : new JdkImageClasses().ofModule("java.base")) {
      natives.add(source.read());
    }
    natives.write(directory);
  }
}
