package io.jvmscope.agent;

import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;

/** A new file that the agent appends to, which flight recordings of the program do not tell. */
final class LogFile implements Closeable {
  private final FileOutputStream file;
  private long size;

  LogFile(Path path) throws IOException {
    file = new FileOutputStream(path.toFile());
  }

  synchronized void append(byte[] bytes) throws IOException {
    CallingContext.write(file.getFD(), bytes, size);
    size += bytes.length;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
