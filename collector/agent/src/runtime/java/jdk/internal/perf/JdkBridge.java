package jdk.internal.perf;

import java.io.FileDescriptor;
import java.nio.channels.FileChannel;

/**
 * The internals of the JDK that {@link Arena}, {@link QuietFiles}, {@link Carrier} and {@link
 * ScopedValues} need beside {@code Unsafe}. This body stands in at compile time only: preparing a
 * JDK generates the class anew, because where they are differs between releases ({@code
 * io.jvmscope.agent.BridgeGenerator}).
 */
final class JdkBridge {
  private JdkBridge() {}

  /** Maps a file for reading and writing, shared; returns the address. */
  static long map(FileChannel channel, FileDescriptor descriptor, long bytes) {
    throw new UnsupportedOperationException("not prepared");
  }

  /** Writes memory to a file at an offset; returns the bytes written. */
  static int write(FileDescriptor descriptor, long address, int bytes, long offset) {
    throw new UnsupportedOperationException("not prepared");
  }

  /** Reads memory from a file at an offset; returns the bytes read. */
  static int read(FileDescriptor descriptor, long address, int bytes, long offset) {
    throw new UnsupportedOperationException("not prepared");
  }

  /** Where the bytes of an array begin. */
  static long arrayBase() {
    throw new UnsupportedOperationException("not prepared");
  }

  /** Has the current virtual thread stay on its carrier until {@link #unpin}. */
  static void pin() {
    throw new UnsupportedOperationException("not prepared");
  }

  static void unpin() {
    throw new UnsupportedOperationException("not prepared");
  }

  /** Does this JDK have scoped values? The other methods about them may be called if so. */
  static boolean hasScopedValues() {
    throw new UnsupportedOperationException("not prepared");
  }

  /** The cache of the current thread's scoped values. */
  static Object[] scopedValueCache() {
    throw new UnsupportedOperationException("not prepared");
  }

  static void setScopedValueCache(Object[] cache) {
    throw new UnsupportedOperationException("not prepared");
  }
}
