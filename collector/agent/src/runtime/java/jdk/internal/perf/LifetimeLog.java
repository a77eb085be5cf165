package jdk.internal.perf;

import static jdk.internal.perf.LifetimeLayout.CLOCK;
import static jdk.internal.perf.LifetimeLayout.FILE_BYTES;
import static jdk.internal.perf.LifetimeLayout.HASHES;
import static jdk.internal.perf.LifetimeLayout.KIND_SHIFT;
import static jdk.internal.perf.LifetimeLayout.LOG;
import static jdk.internal.perf.LifetimeLayout.LOG_TOP;
import static jdk.internal.perf.LifetimeLayout.LOST;
import static jdk.internal.perf.LifetimeLayout.MAGIC;
import static jdk.internal.perf.LifetimeLayout.MOST_LOG;
import static jdk.internal.perf.LifetimeLayout.MOST_OBJECTS;
import static jdk.internal.perf.LifetimeLayout.NO_NUMBERS;
import static jdk.internal.perf.LifetimeLayout.RECORD;
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
 * each object was a root last. Threads append by adding to the log's top, so the log has one order;
 * what a killed VM leaves is whole up to the first record that has no kind.
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

  /** Address of the file; 0: not open, or no more objects have a number. */
  static long base;

  /** Address of a byte for each ZEROS bytes of hash codes: 1 if they have a place on the disk. */
  private static final long HASH_PAGES = Arena.zeroed((int) (4L * (1L << 31) / ZEROS));

  private static FileDescriptor file;
  private static long reservedLog; // distances from the file's start that have a place on the disk
  private static long reservedStamps;

  private LifetimeLog() {}

  /** Maps the file; false if the disk has no room for its first pages. */
  static boolean open(FileChannel channel, FileDescriptor descriptor) throws IOException {
    long mapped = JdkBridge.map(channel, descriptor, FILE_BYTES);
    file = descriptor;
    reservedLog = LOG;
    reservedStamps = STAMPS;
    if (!reserve(0L, ZEROS) || !reserveLog(LOG + 1) || !reserveStamps(STAMPS + 1)) {
      return false;
    }
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

  /** Appends a record. */
  @Hidden
  static void append(int context, int kind, int lower, int third, int fourth) {
    long at = take(RECORD);
    if (at != 0L) {
      write(at, context, kind, lower, third, fourth);
    }
  }

  /** Appends two records with none between them; the second is about the same object. */
  @Hidden
  static void appendTwo(int context, int kind, int lower, int third, int fourth, int units) {
    long at = take(2 * RECORD);
    if (at != 0L) {
      write(at + RECORD, context, LifetimeLayout.LENGTH, 0, third, units);
      write(at, context, kind, lower, third, fourth);
    }
  }

  @ForceInline
  @Hidden
  private static long take(int bytes) {
    long top;
    do {
      top = U.getLong(null, base + LOG_TOP);
    } while (!U.compareAndSetLong(null, base + LOG_TOP, top, top + bytes));
    long end = LOG + top + bytes;
    if (end > reservedLog && !reserveLog(end)) {
      close();
      return 0L;
    }
    return base + LOG + top;
  }

  @ForceInline
  @Hidden
  private static void write(long at, int context, int kind, int lower, int third, int fourth) {
    U.putInt(null, at, context);
    U.putInt(null, at + 8, third);
    U.putInt(null, at + 12, fourth);
    U.putIntRelease(null, at + 4, kind << KIND_SHIFT | lower);
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
  private static boolean reserveLog(long upTo) {
    while (reservedLog < upTo) {
      if (upTo > LOG + MOST_LOG || !grow(true, upTo)) {
        return false;
      }
    }
    return true;
  }

  @DontInline
  @Hidden
  private static boolean reserveStamps(long upTo) {
    while (reservedStamps < upTo) {
      if (!grow(false, upTo)) {
        return false;
      }
    }
    return true;
  }

  @Hidden
  private static boolean grow(boolean isLog, long upTo) {
    lock();
    try {
      long from = isLog ? reservedLog : reservedStamps;
      if (from >= upTo) {
        return true;
      }
      if (!reserve(from, STEP)) {
        return false;
      }
      if (isLog) {
        reservedLog = from + STEP;
      } else {
        reservedStamps = from + STEP;
      }
      return true;
    } finally {
      unlock();
    }
  }

  @Hidden
  static void lock() {
    while (!U.compareAndSetInt(null, LOCK, 0, 1)) {
      continue;
    }
  }

  @Hidden
  static void unlock() {
    U.putIntVolatile(null, LOCK, 0);
  }

  /**
   * Writes zeros, so that pages have a place: a store to a mapped page that finds none would kill
   * the VM.
   */
  @Hidden
  static boolean reserve(long from, int bytes) {
    long slot = ThreadSlot.pause(); // the native constructs its exception in Java
    try {
      for (long at = from; at < from + bytes; ) {
        int most = (int) Math.min(ZEROS, from + bytes - at);
        int written = JdkBridge.write(file, ZERO_BYTES, most, at);
        if (written < 0 && written != INTERRUPTED) {
          return false;
        }
        at += written < 0 ? 0 : written;
      }
      return true;
    } catch (Throwable e) { // an IOException that no signature declares: no space left
      return false;
    } finally {
      ThreadSlot.resume(slot);
    }
  }
}
