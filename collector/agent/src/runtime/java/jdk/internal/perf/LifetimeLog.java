package jdk.internal.perf;

import static jdk.internal.perf.LifetimeLayout.CHUNK;
import static jdk.internal.perf.LifetimeLayout.CLOCK;
import static jdk.internal.perf.LifetimeLayout.DISK;
import static jdk.internal.perf.LifetimeLayout.HASHES;
import static jdk.internal.perf.LifetimeLayout.KIND_SHIFT;
import static jdk.internal.perf.LifetimeLayout.LOG_TOP;
import static jdk.internal.perf.LifetimeLayout.LOST;
import static jdk.internal.perf.LifetimeLayout.MAGIC;
import static jdk.internal.perf.LifetimeLayout.MAPPED_BYTES;
import static jdk.internal.perf.LifetimeLayout.MOST_CHUNKS;
import static jdk.internal.perf.LifetimeLayout.MOST_OBJECTS;
import static jdk.internal.perf.LifetimeLayout.NO_NUMBERS;
import static jdk.internal.perf.LifetimeLayout.PACKED;
import static jdk.internal.perf.LifetimeLayout.PACKED_LOG;
import static jdk.internal.perf.LifetimeLayout.PACKED_SHIFT;
import static jdk.internal.perf.LifetimeLayout.RECORD;
import static jdk.internal.perf.LifetimeLayout.RING;
import static jdk.internal.perf.LifetimeLayout.RING_BYTES;
import static jdk.internal.perf.LifetimeLayout.STAMPS;

import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.channels.FileChannel;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The file of the probe {@code lifetimes}: the log of allocations and stores, the clock, and when
 * each object was a root last. Threads append by adding to the log's top, so the log has one order.
 * They write into a ring in memory that the file backs; a thread that finds no room there packs the
 * oldest chunk and appends it to the file ({@link LogPacker}). What a killed VM leaves is whole up
 * to the first record that has no kind.
 */
public final class LifetimeLog {
  private static final Unsafe U = Unsafe.getUnsafe();
  private static final int STEP = 16 << 20;
  private static final int ZEROS = 1 << 20;

  /** What the JDK's native returns when a signal came first. */
  private static final int INTERRUPTED = -3;

  private static final long ZERO_BYTES = Arena.zeroed(ZEROS);

  /** Address of an int that is 1 while a thread lets the file grow. */
  private static final long LOCK = Arena.zeroed(8);

  /** Address of the file; 0: not open. */
  static long base;

  private static long header; // the same address, from the start on

  /** Address of a byte for each ZEROS bytes of hash codes: 1 if they have a place on the disk. */
  private static final long HASH_PAGES = Arena.zeroed((int) (4L * (1L << 31) / ZEROS));

  private static FileDescriptor file;
  private static long reservedStamps; // distance from the file's start that has a place on the disk
  private static long limit; // bytes of the log for which the ring has room

  private LifetimeLog() {}

  /** Maps the file; false if the disk has no room for its first pages. */
  static boolean open(FileChannel channel, FileDescriptor descriptor) throws IOException {
    long mapped = JdkBridge.map(channel, descriptor, MAPPED_BYTES);
    file = descriptor;
    header = mapped;
    reservedStamps = STAMPS;
    if (!reserve(0L, ZEROS) || !reserve(RING, RING_BYTES) || !reserveStamps(STAMPS + 1)) {
      return false;
    }
    limit = RING_BYTES;
    U.putLong(null, mapped, MAGIC);
    U.storeFence();
    base = mapped;
    return true;
  }

  /** The number that was given last. */
  @ForceInline
  @Hidden
  static int clock() {
    return U.getInt(null, base + CLOCK);
  }

  /** A number for an object; 0 if there is none. */
  @Hidden
  static int nextNumber() {
    int number;
    do {
      number = U.getInt(null, base + CLOCK) + 1;
      if (number >= MOST_OBJECTS) {
        close();
        return 0;
      }
    } while (!U.compareAndSetInt(null, base + CLOCK, number - 1, number));
    long end = STAMPS + 8L * number + 8L;
    if (end > reservedStamps && !reserveStamps(end)) {
      close();
      return 0;
    }
    return number;
  }

  /** The object was a root until now, in a context. */
  @ForceInline
  @Hidden
  static void stamp(int number, int context) {
    long at = base + STAMPS + 8L * number;
    long now = (long) clock() << 32 | context & 0xFFFFFFFFL;
    long old;
    do {
      old = U.getLong(null, at);
    } while (old >>> 32 <= now >>> 32 && old != now && !U.compareAndSetLong(null, at, old, now));
  }

  /** The hash code that the program sees of an object: made as the VM does it when first asked. */
  @Hidden
  static int hashOf(int number) {
    long from = 4L * number & -ZEROS;
    long page = HASH_PAGES + from / ZEROS;
    if (U.getByte(null, page) == 0) {
      lock();
      boolean isThere = U.getByte(null, page) != 0 || reserve(HASHES + from, ZEROS);
      U.putByteVolatile(null, page, (byte) (isThere ? 1 : 0));
      unlock();
      if (!isThere) {
        close();
        return 0;
      }
    }
    long at = base + HASHES + 4L * number;
    if (U.getInt(null, at) == 0) {
      U.compareAndSetInt(null, at, 0, System.identityHashCode(new Object()));
    }
    return U.getIntVolatile(null, at);
  }

  /**
   * Appends a record. Nothing is called once it has its place but natives that need no more stack
   * than what gave it one: a record that stayed empty would stop the log.
   */
  @Hidden
  static void append(int context, int kind, int lower, int third, int fourth) {
    long top;
    do {
      top = U.getLong(null, base + LOG_TOP);
      if (top + RECORD > limit && !makeRoom(top + RECORD)) {
        return;
      }
    } while (!U.compareAndSetLong(null, base + LOG_TOP, top, top + RECORD));
    long at = base + RING + (top & RING_BYTES - 1);
    U.putInt(null, at, context);
    U.putInt(null, at + 8, third);
    U.putInt(null, at + 12, fourth);
    U.putIntVolatile(null, at + 4, kind << KIND_SHIFT | lower);
  }

  /** Appends two records with none between them; the second is about the same object. */
  @Hidden
  static void appendTwo(int context, int kind, int lower, int third, int fourth, int units) {
    long top;
    do {
      top = U.getLong(null, base + LOG_TOP);
      if (top + 2 * RECORD > limit && !makeRoom(top + 2 * RECORD)) {
        return;
      }
    } while (!U.compareAndSetLong(null, base + LOG_TOP, top, top + 2 * RECORD));
    long at = base + RING + (top & RING_BYTES - 1);
    U.putInt(null, at, context);
    U.putInt(null, at + 8, third);
    U.putInt(null, at + 12, fourth);
    U.putIntVolatile(null, at + 4, kind << KIND_SHIFT | lower);
    at = base + RING + (top + RECORD & RING_BYTES - 1);
    U.putInt(null, at, context);
    U.putInt(null, at + 8, third);
    U.putInt(null, at + 12, units);
    U.putIntVolatile(null, at + 4, LifetimeLayout.LENGTH << KIND_SHIFT);
  }

  /** Packs chunks until the ring has room; false if the disk has none. */
  @DontInline
  @Hidden
  private static boolean makeRoom(long upTo) {
    lock();
    try {
      while (limit < upTo) {
        if (!packChunk()) {
          close();
          return false;
        }
      }
      return true;
    } finally {
      unlock();
    }
  }

  @Hidden
  private static boolean packChunk() {
    long packed = U.getLong(null, base + PACKED);
    long chunk = packed >>> PACKED_SHIFT;
    long end = packed & (1L << PACKED_SHIFT) - 1;
    long at = base + RING + (chunk * CHUNK & RING_BYTES - 1);
    if (chunk == MOST_CHUNKS) {
      return false;
    }
    int bytes = LogPacker.pack(at);
    if (bytes == 0 || !write(LogPacker.OUT, PACKED_LOG + end, bytes)) {
      return false;
    }
    U.putLongVolatile(null, base + PACKED, chunk + 1 << PACKED_SHIFT | end + bytes);
    U.setMemory(at, CHUNK, (byte) 0);
    U.fullFence();
    limit += CHUNK;
    return true;
  }

  /** Says why lifetimes are not whole. */
  @Hidden
  static void lose(int why) {
    long at = base + LOST;
    int lost;
    do {
      lost = U.getInt(null, at);
    } while (!U.compareAndSetInt(null, at, lost, lost | why));
  }

  @DontInline
  @Hidden
  private static void close() {
    lose(NO_NUMBERS);
  }

  @DontInline
  @Hidden
  private static boolean reserveStamps(long upTo) {
    lock();
    try {
      while (reservedStamps < upTo) {
        if (!reserve(reservedStamps, STEP)) {
          return false;
        }
        reservedStamps += STEP;
      }
      return true;
    } finally {
      unlock();
    }
  }

  @Hidden
  static void lock() {
    SpinLock.lock(LOCK);
  }

  @Hidden
  static void unlock() {
    SpinLock.unlock(LOCK);
  }

  /**
   * Writes zeros, so that pages have a place: a store to a mapped page that finds none would kill
   * the VM.
   */
  @Hidden
  static boolean reserve(long from, int bytes) {
    for (long at = from; at < from + bytes; at += ZEROS) {
      long rest = from + bytes - at; // no method of the JDK here, which would ask for more room
      if (!write(ZERO_BYTES, at, rest < ZEROS ? (int) rest : ZEROS)) {
        return false;
      }
    }
    return true;
  }

  /** Writes memory to the file, with what the header says of its size; false: no space is left. */
  @Hidden
  private static boolean write(long memory, long position, int bytes) {
    long slot = ThreadSlot.pause(); // the native constructs its exception in Java
    try {
      for (int done = 0; done < bytes; ) {
        int written = JdkBridge.write(file, memory + done, bytes - done, position + done);
        if (written < 0 && written != INTERRUPTED) {
          return false;
        }
        done += written < 0 ? 0 : written;
      }
      U.putLong(null, header + DISK, U.getLong(null, header + DISK) + bytes);
      return true;
    } catch (Throwable e) { // an IOException that no signature declares: no space left
      return false;
    } finally {
      ThreadSlot.resume(slot);
    }
  }
}
