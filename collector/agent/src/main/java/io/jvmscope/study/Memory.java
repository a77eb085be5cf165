package io.jvmscope.study;

import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import jdk.internal.misc.Unsafe;

/**
 * Memory outside of the program's heap, in blocks of one size, at most so much in all.
 *
 * <p>{@code jdk.internal.misc.Unsafe} is used, since that of {@code sun.misc} prints a warning from
 * JDK 24 on, and direct buffers count against a limit of the program.
 */
final class Memory {
  private static final String PACKAGE = "jdk.internal.misc";

  private final AtomicLong free; // blocks

  Memory(long mostBytes) {
    free = new AtomicLong(mostBytes / SampleBuffer.SIZE_BYTES);
  }

  /** Lets this package use what java.base has for itself. */
  static void open(Instrumentation instrumentation) {
    instrumentation.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of(PACKAGE, Set.of(Memory.class.getModule())),
        Map.of(),
        Set.of(),
        Map.of());
  }

  /** A new buffer; null if there is no room. */
  SampleBuffer take() {
    if (free.getAndDecrement() <= 0) {
      free.getAndIncrement();
      return null;
    }
    try {
      long address = Unsafe.getUnsafe().allocateMemory(SampleBuffer.SIZE_BYTES);
      Unsafe.getUnsafe().setMemory(address, SampleBuffer.SIZE_BYTES, (byte) 0);
      return new SampleBuffer(address);
    } catch (OutOfMemoryError e) {
      free.getAndIncrement();
      return null;
    }
  }

  /** Gives back a buffer that no thread uses any more. */
  void giveBack(SampleBuffer buffer) {
    Unsafe.getUnsafe().freeMemory(buffer.address);
    free.getAndIncrement();
  }
}
