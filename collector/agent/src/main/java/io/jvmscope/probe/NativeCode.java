package io.jvmscope.probe;

import java.io.IOException;

/**
 * Native methods and calls by JNI, with their times. The library in {@code collector/native} counts
 * them; nothing is inserted into classes, and nodes have nothing of it.
 */
final class NativeCode extends NamedProbe {
  /** What the library writes, in the raw directory. */
  private static final String FILE = "native";

  NativeCode() {
    super("native");
  }

  @Override
  public boolean insertsCode() {
    return false;
  }

  @Override
  public ProbeTables tables(Recording recording) throws IOException {
    return new NativeTables(recording, NativeFile.read(recording.raw().resolve(FILE)));
  }
}
