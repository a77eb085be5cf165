package io.jvmscope.probe;

import java.io.IOException;

/**
 * Native methods and calls by JNI, with their times. The library in {@code collector/native} counts
 * them; nothing is inserted into classes, and nodes have nothing of it.
 */
final class NativeCode extends NamedProbe {
  NativeCode() {
    super("native");
  }

  @Override
  public boolean insertsCode() {
    return false;
  }

  @Override
  public ProbeTables tables(Recording recording) throws IOException {
    NativeFile file = NativeFile.read(recording.raw().resolve(NativeFile.NAME));
    return new NativeContexts(recording, file);
  }
}
