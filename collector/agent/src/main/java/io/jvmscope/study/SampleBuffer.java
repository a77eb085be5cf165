package io.jvmscope.study;

import jdk.internal.misc.Unsafe;

/**
 * The last samples of one method, in a cyclic buffer outside of the heap; each is protected by a
 * sequential lock, Listing 2 of the paper.
 *
 * <p>The generation of a sample is odd while it is written, and 0 until the first time. A writer
 * makes it odd, and a fence keeps that before the values; the release that makes it even keeps the
 * values before it. A reader's acquire of the generation comes before its reads of the values, and
 * these before a second look at the generation, by a fence. A reader that sees the same even number
 * twice has therefore seen the values of one sample: they are 64 bits wide and aligned, so that
 * none is half of another. (H. Boehm, Can seqlocks get along with programming language memory
 * models? The generation of the paper is odd when the sample is whole; nothing else differs.)
 */
final class SampleBuffer {
  /** How many samples are kept. */
  static final int CAPACITY = 256;

  /** The values of a sample that is read. */
  static final int THREAD = 0;

  static final int ENTRY = 1;
  static final int EXIT = 2;
  static final int N_VALUES = 3;

  /** The number of samples that were added, and the samples: their generation and values. */
  static final long SIZE_BYTES = Long.BYTES + CAPACITY * (1L + N_VALUES) * Long.BYTES;

  private static final Unsafe UNSAFE = Unsafe.getUnsafe();
  private static final long SAMPLE_BYTES = (1L + N_VALUES) * Long.BYTES;
  private static final int MOST_ATTEMPTS = 3;

  final long address;

  SampleBuffer(long address) {
    this.address = address;
  }

  /** How many samples were added since the buffer was made. */
  long nAdded() {
    return UNSAFE.getLongAcquire(null, address);
  }

  private long sample(long number) {
    return address + Long.BYTES + (number & CAPACITY - 1) * SAMPLE_BYTES;
  }

  /** Adds an invocation that ends now; for a buffer into which only one thread writes. */
  void add(long thread, long entry) {
    long number = UNSAFE.getLong(address);
    long at = sample(number);
    long generation = UNSAFE.getLong(at);
    UNSAFE.putLongOpaque(null, at, generation + 1);
    UNSAFE.storeFence();
    write(at, thread, entry, System.nanoTime());
    UNSAFE.putLongRelease(null, at, generation + 2);
    UNSAFE.putLongRelease(null, address, number + 1);
  }

  /**
   * Adds an invocation, for a buffer into which several threads write. One that is overtaken by as
   * many others as the buffer holds is counted and not kept.
   */
  void addShared(long thread, long entry, long exit) {
    long at = sample(UNSAFE.getAndAddLong(null, address, 1));
    long generation = UNSAFE.getLongAcquire(null, at);
    if ((generation & 1) == 0 && UNSAFE.compareAndSetLong(null, at, generation, generation + 1)) {
      UNSAFE.storeFence();
      write(at, thread, entry, exit);
      UNSAFE.putLongRelease(null, at, generation + 2);
    }
  }

  private static void write(long at, long thread, long entry, long exit) {
    UNSAFE.putLong(at + (1 + THREAD) * Long.BYTES, thread);
    UNSAFE.putLong(at + (1 + ENTRY) * Long.BYTES, entry);
    UNSAFE.putLong(at + (1 + EXIT) * Long.BYTES, exit);
  }

  /**
   * Reads one place of the buffer.
   *
   * @param values where its values go
   * @return false if no sample is there, or it kept being written
   */
  boolean read(int place, long[] values) {
    long at = sample(place);
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      long before = UNSAFE.getLongAcquire(null, at);
      if (before == 0) {
        return false;
      }
      if ((before & 1) == 0) {
        for (int k = 0; k < N_VALUES; k++) {
          values[k] = UNSAFE.getLong(at + (1L + k) * Long.BYTES);
        }
        UNSAFE.loadFence();
        if (UNSAFE.getLongOpaque(null, at) == before) {
          return true;
        }
      }
      Thread.onSpinWait();
    }
    return false;
  }
}
