package io.jvmscope.probe;

import io.jvmscope.arena.RecordingDamaged;
import io.jvmscope.classfile.ModifiedUtf8;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What {@code collector/native} counted; {@code store.h} there describes the file.
 *
 * @param clock how it measured time
 * @param threads in the order in which the library met them; several may be one thread of Java
 * @param unfollowed the native methods that are not followed, each perhaps more than once
 */
public record NativeFile(Clock clock, List<OfThread> threads, List<Method> unfollowed) {
  /** Its name in the raw directory. */
  public static final String NAME = "native";

  private static final long MAGIC = 0x3254414e534d564aL;
  private static final String[] CLOCKS = {null, "thread", "timestamp", "monotonic"};

  /** Why a method is not followed, by enum skipping. */
  private static final String[] REASONS = {
    null, "replaced", "recorder", "continuation", "no_room", "startup"
  };

  /** What calls functions for java.lang.foreign: nothing binds it, and it is not followed. */
  private static final Method LINK_TO_NATIVE =
      new Method(
          "java/lang/invoke/MethodHandle",
          "linkToNative",
          "([Ljava/lang/Object;)Ljava/lang/Object;",
          null,
          "foreign");

  /** The class whose native methods make it known to the VM what to call; JDK 17 to 18, later. */
  private static final Set<String> ENTRY_POINTS =
      Set.of("jdk/internal/invoke/NativeEntryPoint", "jdk/internal/foreign/abi/NativeEntryPoint");

  // struct header
  private static final int USED = 8;
  private static final int FIRST_METHOD = 16;
  private static final int FIRST_THREAD = 24;
  private static final int CLOCK = 32;
  private static final int HAS_FAILED = 72;
  private static final int HEADER_BYTES = 96;

  // struct thread_record
  private static final int FIRST_CHUNK = 16;
  private static final int TRANSITIONS = 24;
  static final int KINDS = 6;
  private static final int TIMES = TRANSITIONS + 8 * KINDS;
  private static final int NAME_AT = TIMES + 16;
  private static final int FLAGS = NAME_AT + 8;
  private static final int DAEMON = 1;
  private static final int VIRTUAL = 2;
  private static final int OF_VM = 4;

  private static final int FIRST_CALLS = FLAGS + 8;

  // struct chunk
  private static final int COUNTERS = 16;
  private static final int CHUNK = 32;
  private static final int COUNTERS_BYTES = 32;

  // struct calls
  private static final int CALLS = 8;
  private static final int CALL_BYTES = 8 + COUNTERS_BYTES;

  /**
   * The clock.
   *
   * @param kind as table {@code native_clock} has it; null: there is none
   * @param resolutionNs of the clock
   * @param readNs what a reading costs
   * @param intervalNs what was taken off each interval
   */
  public record Clock(String kind, long resolutionNs, long readNs, long intervalNs) {}

  /**
   * A native method as the VM names it.
   *
   * @param library null: not known
   * @param skipping as table {@code unfollowed_native} has it; null: it is followed
   */
  public record Method(
      String className, String name, String descriptor, String library, String skipping) {}

  /**
   * What a thread did in a method that was called in a context.
   *
   * @param method null: its names are not known
   * @param context link of the context's node; 0: not known
   * @param selfNs at least 0, though what was taken off for the clock may have been too much
   */
  public record OfMethod(
      Method method, int context, long calls, long exceptions, long jniCalls, long selfNs) {}

  /** What is known of a thread where nothing else tells it; name null: it did not begin whole. */
  public record Who(
      long tid, String name, boolean isDaemon, boolean isVirtual, boolean isVmInternal) {}

  /** What a thread did: transitions by kind, times, and methods that it called. */
  public record OfThread(
      Who who, long[] transitions, long bytecodeNs, long nativeNs, List<OfMethod> methods) {}

  public static NativeFile read(Path path) throws IOException {
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
          methods.put(
              file.getLong(at + 8), method(file, names, REASONS[(int) file.getLong(at + 24)]));
        }
      }
      List<OfThread> threads = new ArrayList<>();
      for (int at = link(file, FIRST_THREAD); at != 0; at = link(file, at)) {
        threads.add(thread(file, at, methods)); // the newest first
      }
      Collections.reverse(threads);
      Clock clock =
          new Clock(
              CLOCKS[(int) file.getLong(CLOCK)],
              file.getLong(CLOCK + 8),
              file.getLong(CLOCK + 16),
              file.getLong(CLOCK + 24));
      return new NativeFile(clock, threads, unfollowed(methods.values()));
    } catch (IndexOutOfBoundsException e) {
      throw new RecordingDamaged(path + ": a link leads out of the file");
    }
  }

  private static List<Method> unfollowed(Collection<Method> methods) {
    List<Method> found = new ArrayList<>();
    for (Method method : methods) {
      if (method.skipping() != null) {
        found.add(method);
      }
    }
    if (methods.stream().anyMatch(method -> ENTRY_POINTS.contains(method.className()))) {
      found.add(LINK_TO_NATIVE);
    }
    return found;
  }

  private static int link(ByteBuffer file, int at) {
    return Math.toIntExact(file.getLong(at));
  }

  private static Method method(ByteBuffer file, int names, String skipping) {
    String[] texts = new String[4];
    int at = names;
    for (int k = 0; k < texts.length; k++) {
      int length = length(file, at);
      texts[k] = text(file, at, length);
      at += length + 1;
    }
    String className = texts[0].substring(1, texts[0].length() - 1);
    String library = texts[3].isEmpty() ? null : texts[3];
    return new Method(className, texts[1], texts[2], library, skipping);
  }

  private static int length(ByteBuffer file, int at) {
    int end = at;
    while (file.get(end) != 0) {
      end++;
    }
    return end - at;
  }

  private static String text(ByteBuffer file, int at, int length) {
    byte[] bytes = new byte[length];
    file.get(at, bytes);
    return ModifiedUtf8.decode(bytes, 0, length);
  }

  /** Reads a thread. What it did in skipped methods counts as bytecode, as it does later on. */
  private static OfThread thread(ByteBuffer file, int at, Map<Long, Method> methods) {
    long[] transitions = new long[KINDS];
    for (int k = 1; k < KINDS; k++) {
      transitions[k] = file.getLong(at + TRANSITIONS + 8 * k);
    }
    long skippedNs = 0;
    List<OfMethod> called = new ArrayList<>();
    List<OfMethod> entries = entries(file, link(file, at + FIRST_CHUNK), methods);
    addCalls(file, link(file, at + FIRST_CALLS), methods, entries);
    for (OfMethod entry : entries) {
      if (entry.method() != null && entry.method().skipping() != null) {
        skippedNs += entry.selfNs();
      } else {
        transitions[0] += entry.calls();
        called.add(entry);
      }
    }
    long bytecodeNs = file.getLong(at + TIMES) + skippedNs;
    long nativeNs = file.getLong(at + TIMES + 8) - skippedNs;
    return new OfThread(who(file, at), transitions, bytecodeNs, nativeNs, called);
  }

  private static Who who(ByteBuffer file, int at) {
    int name = link(file, at + NAME_AT);
    long flags = file.getLong(at + FLAGS);
    return new Who(
        file.getLong(at + 8),
        name == 0 ? null : text(file, name, length(file, name)),
        (flags & DAEMON) != 0,
        (flags & VIRTUAL) != 0,
        (flags & OF_VM) != 0);
  }

  /** The methods that were called where the context is not known. */
  private static List<OfMethod> entries(ByteBuffer file, int chunk, Map<Long, Method> methods) {
    List<OfMethod> found = new ArrayList<>();
    for (int at = chunk; at != 0; at = link(file, at)) {
      long first = file.getLong(at + 8);
      for (int k = 0; k < CHUNK; k++) {
        int counters = at + COUNTERS + COUNTERS_BYTES * k;
        if (file.getLong(counters) != 0) {
          found.add(entry(file, counters, methods.get(first + k), 0));
        }
      }
    }
    return found;
  }

  /** Adds the methods that were called by context. */
  private static void addCalls(
      ByteBuffer file, int chunk, Map<Long, Method> methods, List<OfMethod> found) {
    for (int at = chunk; at != 0; at = link(file, at)) {
      for (int k = 0; k < CHUNK; k++) {
        int call = at + CALLS + CALL_BYTES * k;
        int number = file.getInt(call) - 1;
        if (number >= 0 && file.getLong(call + 8) != 0) {
          Method method = methods.get((long) number);
          found.add(entry(file, call + 8, method, file.getInt(call + 4)));
        }
      }
    }
  }

  private static OfMethod entry(ByteBuffer file, int at, Method method, int context) {
    return new OfMethod(
        method,
        context,
        file.getLong(at),
        file.getLong(at + 8),
        file.getLong(at + 16),
        Math.max(0, file.getLong(at + 24)));
  }
}
