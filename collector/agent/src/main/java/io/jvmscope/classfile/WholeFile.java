package io.jvmscope.classfile;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Files that are read whole in the VM of the program. {@code Files.readAllBytes} would read them by
 * a channel, whose buffer stays with the thread: in JDK 17 as large as the file. It would take that
 * much of the program's direct memory, and the program would not allocate its first buffer.
 */
public final class WholeFile {
  private WholeFile() {}

  public static byte[] read(Path path) throws IOException {
    try (FileInputStream in = new FileInputStream(path.toFile())) {
      return in.readAllBytes();
    }
  }
}
