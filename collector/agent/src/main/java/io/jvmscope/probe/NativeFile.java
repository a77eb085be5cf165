package io.jvmscope.probe;

import io.jvmscope.arena.RecordingDamaged;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code collector/native} counted; {@code store.h} there describes the file.
 *
 * @param clock how it measured time
 * @param threads by {@code Thread.threadId()}; a number may have several
 * @param hasLost counts are missing, since there was no room for them
 */
record NativeFile(Clock clock, Map<Long, List<OfThread>> threads, boolean hasLost) {
  private static final long MAGIC = 0x3154414e534d564aL;
  private static final String[] CLOCKS = {null, "thread"};

  // struct header
  private static final int USED = 8;
  private static final int FIRST_METHOD = 16;
  private static final int FIRST_THREAD = 24;
  private static final int CLOCK = 32;
  private static final int LOST = 64;
  private static final int HAS_FAILED = 72;
  private static final int HEADER_BYTES = 80;

  // struct thread_record
  private static final int TABLE = 16;
  private static final int TRANSITIONS = 32;
  static final int KINDS = 5;
  private static final int TIMES = TRANSITIONS + 8 * KINDS;

  // struct counters
  private static final int COUNTERS_BYTES = 40;

  /**
   * The clock.
   *
   * @param kind {@code thread}: its processor time; null: there is none
   * @param resolutionNs of the clock
   * @param readNs what a reading costs
   * @param intervalNs what was taken off each interval
   */
  record Clock(String kind, long resolutionNs, long readNs, long intervalNs) {}

  /** A native method as the VM names it; library null: not known. */
  record Method(
      String className, String name, String descriptor, String library, boolean isSkipped) {}

  /** What a thread did in a method. */
  record OfMethod(Method method, long calls, long exceptions, long jniCalls, long selfNs) {}

  /** What a thread did: transitions by kind, times, and methods that it called. */
  record OfThread(long[] transitions, long bytecodeNs, long nativeNs, List<OfMethod> methods) {}

  static NativeFile read(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path)) {
      ByteBuffer head = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.nativeOrder());
      while (head.hasRemaining() && channel.read(head) >= 0) {}
      if (head.hasRemaining() || head.getLong(0) != MAGIC) {
        throw new RecordingDamaged(path + ": not written by the library for native code");
      }
      if (head.getLong(HAS_FAILED) != 0) {
        throw new RecordingDamaged(path + ": the VM did not let the library follow JNI");
      }
      long used = Math.min(head.getLong(USED), channel.size());
      ByteBuffer file = channel.map(FileChannel.MapMode.READ_ONLY, 0, used);
      return read(file.order(ByteOrder.nativeOrder()), path);
    }
  }

  private static NativeFile read(ByteBuffer file, Path path) {
    try {
      Map<Long, Method> methods = new HashMap<>();
      for (int at = link(file, FIRST_METHOD); at != 0; at = link(file, at)) {
        int names = link(file, at + 16);
        if (names != 0) {
          methods.put(file.getLong(at + 8), method(file, names, file.getLong(at + 24) != 0));
        }
      }
      Map<Long, List<OfThread>> threads = new HashMap<>();
      for (int at = link(file, FIRST_THREAD); at != 0; at = link(file, at)) {
        threads
            .computeIfAbsent(file.getLong(at + 8), tid -> new ArrayList<>(1))
            .add(thread(file, at, methods));
      }
      Clock clock =
          new Clock(
              CLOCKS[(int) file.getLong(CLOCK)],
              file.getLong(CLOCK + 8),
              file.getLong(CLOCK + 16),
              file.getLong(CLOCK + 24));
      return new NativeFile(clock, threads, file.getLong(LOST) != 0);
    } catch (IndexOutOfBoundsException e) {
      throw new RecordingDamaged(path + ": a link leads out of the file");
    }
  }

  private static int link(ByteBuffer file, int at) {
    return Math.toIntExact(file.getLong(at));
  }

  private static Method method(ByteBuffer file, int names, boolean isSkipped) {
    String[] texts = new String[4];
    int at = names;
    for (int k = 0; k < texts.length; k++) {
      int end = at;
      while (file.get(end) != 0) {
        end++;
      }
      byte[] bytes = new byte[end - at];
      file.get(at, bytes);
      texts[k] = new String(bytes, StandardCharsets.UTF_8);
      at = end + 1;
    }
    String className = texts[0].substring(1, texts[0].length() - 1);
    String library = texts[3].isEmpty() ? null : texts[3];
    return new Method(className, texts[1], texts[2], library, isSkipped);
  }

  /** Reads a thread. What it did in skipped methods counts as bytecode, as it does later on. */
  private static OfThread thread(ByteBuffer file, int at, Map<Long, Method> methods) {
    long[] transitions = new long[KINDS];
    for (int k = 0; k < KINDS; k++) {
      transitions[k] = file.getLong(at + TRANSITIONS + 8 * k);
    }
    long skippedNs = 0;
    List<OfMethod> called = new ArrayList<>();
    int table = link(file, at + TABLE);
    long capacity = table == 0 ? 0 : file.getLong(at + TABLE + 8);
    for (int k = 0; k < capacity; k++) {
      OfMethod entry = entry(file, table + COUNTERS_BYTES * k, methods);
      if (entry == null || entry.calls() == 0) {
        continue;
      }
      if (entry.method() != null && entry.method().isSkipped()) {
        transitions[0] -= entry.calls();
        skippedNs += entry.selfNs();
      } else {
        called.add(entry);
      }
    }
    long bytecodeNs = file.getLong(at + TIMES) + skippedNs;
    return new OfThread(transitions, bytecodeNs, file.getLong(at + TIMES + 8) - skippedNs, called);
  }

  private static OfMethod entry(ByteBuffer file, int at, Map<Long, Method> methods) {
    long number = file.getLong(at) - 1;
    return number < 0
        ? null
        : new OfMethod(
            methods.get(number),
            file.getLong(at + 8),
            file.getLong(at + 16),
            file.getLong(at + 24),
            file.getLong(at + 32));
  }
}
