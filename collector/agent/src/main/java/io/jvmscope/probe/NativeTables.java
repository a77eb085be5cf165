package io.jvmscope.probe;

import io.jvmscope.arena.ThreadRoot;
import io.jvmscope.probe.NativeFile.Method;
import io.jvmscope.probe.NativeFile.OfThread;
import io.jvmscope.tables.CodeColumn;
import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import io.jvmscope.tables.TextColumn;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Writes tables {@code native_method}, {@code native_transition}, {@code native_time}, {@code
 * thread_time}, {@code native_clock} and {@code unfollowed_native}.
 */
public final class NativeTables implements ProbeTables {
  private static final List<String> KINDS =
      List.of(
          "call", "call_nonvirtual", "call_static", "java_method", "native_method", "new_object");

  /** The library's number of each. */
  private static final int[] NUMBERS = {1, 3, 2, 5, 0, 4};

  private static final List<String> REASONS =
      List.of("continuation", "foreign", "no_room", "recorder", "replaced", "startup");

  private final FrameWriter out;
  private final Recording.Natives natives;
  private final NativeFile file;
  private final Map<Long, List<OfThread>> parts; // by the number of the thread
  private final NativeSums sums;
  private final Table clocks;
  private final TextColumn clock = new TextColumn("clock");
  private final Int64Column resolution = new Int64Column("resolution_ns");
  private final Int64Column read = new Int64Column("read_ns");
  private final Int64Column interval = new Int64Column("interval_ns");

  private final Int32Column methodThread = new Int32Column("thread_id");
  private final Int32Column method = new Int32Column("method_id");
  private final TextColumn library = new TextColumn("library");
  private final Int64Column calls = new Int64Column("n_calls");
  private final Int64Column exceptions = new Int64Column("n_exceptions");
  private final Int64Column jniCalls = new Int64Column("n_jni_calls");
  private final Table methods;

  private final Int32Column transitionThread = new Int32Column("thread_id");
  private final CodeColumn kind = new CodeColumn("kind", KINDS);
  private final Int64Column count = new Int64Column("n_transitions");
  private final Table transitions;

  private final Int32Column timeThread = new Int32Column("thread_id");
  private final Int32Column timeMethod = new Int32Column("method_id");
  private final TextColumn timeLibrary = new TextColumn("library");
  private final Int64Column self = new Int64Column("self_ns");
  private final Table times; // null without a clock, as the next two

  private final Int32Column thread = new Int32Column("thread_id");
  private final Int64Column bytecode = new Int64Column("bytecode_ns");
  private final Int64Column inNative = new Int64Column("native_ns");
  private final Table threads;

  public NativeTables(FrameWriter out, Recording.Natives natives, NativeFile file)
      throws IOException {
    this.out = out;
    this.natives = natives;
    this.file = file;
    sums = new NativeSums(natives);
    parts = file.threads().stream().collect(Collectors.groupingBy(part -> part.who().tid()));
    methods =
        new Table(out, "native_method", methodThread, method, library, calls, exceptions, jniCalls);
    transitions = new Table(out, "native_transition", transitionThread, kind, count);
    boolean hasTimes = file.clock().kind() != null;
    times =
        hasTimes ? new Table(out, "native_time", timeThread, timeMethod, timeLibrary, self) : null;
    threads = hasTimes ? new Table(out, "thread_time", thread, bytecode, inNative) : null;
    clocks = hasTimes ? new Table(out, "native_clock", clock, resolution, read, interval) : null;
  }

  @Override
  public void write(ThreadRoot root, int threadId) throws IOException {
    write(parts(root), threadId);
  }

  /** What is known of a thread. */
  List<OfThread> parts(ThreadRoot root) {
    return parts.getOrDefault(root.tid(), List.of());
  }

  /** Writes what a thread did: all that is known of it. */
  public void write(List<OfThread> parts, int threadId) throws IOException {
    long[] passed = new long[NativeFile.KINDS];
    long bytecodeNs = 0;
    long nativeNs = 0;
    for (OfThread part : parts) {
      for (int k = 0; k < passed.length; k++) {
        passed[k] += part.transitions()[k];
      }
      bytecodeNs += part.bytecodeNs();
      nativeNs += part.nativeNs();
      part.methods().forEach(sums::add);
    }
    writeTransitions(threadId, passed);
    sums.drain((methodId, name, sum) -> writeMethod(threadId, methodId, name, sum));
    if (threads != null && !parts.isEmpty()) {
      thread.add(threadId);
      bytecode.add(Math.max(0, bytecodeNs));
      inNative.add(Math.max(0, nativeNs));
      threads.endRow();
    }
  }

  private void writeTransitions(int threadId, long[] passed) throws IOException {
    for (int k = 0; k < NUMBERS.length; k++) {
      if (passed[NUMBERS[k]] != 0) {
        transitionThread.add(threadId);
        kind.add(k);
        count.add(passed[NUMBERS[k]]);
        transitions.endRow();
      }
    }
  }

  private void writeMethod(int threadId, int methodId, String name, NativeSums.Sums sum)
      throws IOException {
    methodThread.add(threadId);
    method.addId(methodId);
    library.add(name);
    calls.add(sum.calls);
    exceptions.add(sum.exceptions);
    jniCalls.add(sum.jniCalls);
    methods.endRow();
    if (times != null) {
      timeThread.add(threadId);
      timeMethod.addId(methodId);
      timeLibrary.add(name);
      self.add(sum.selfNs);
      times.endRow();
    }
  }

  private void finishClock() throws IOException {
    clock.add(file.clock().kind());
    resolution.add(file.clock().resolutionNs());
    read.add(file.clock().readNs());
    interval.add(file.clock().intervalNs());
    clocks.endRow();
    clocks.finish();
  }

  private void writeUnfollowed() throws IOException {
    Map<Integer, String> reasons = new TreeMap<>();
    for (Method unfollowed : file.unfollowed()) {
      int id = natives.find(unfollowed.className(), unfollowed.name(), unfollowed.descriptor());
      if (id >= 0) {
        reasons.put(id, unfollowed.skipping());
      }
    }
    Int32Column id = new Int32Column("method_id");
    CodeColumn reason = new CodeColumn("reason", REASONS);
    Table table = new Table(out, "unfollowed_native", id, reason);
    for (Map.Entry<Integer, String> entry : reasons.entrySet()) {
      id.add(entry.getKey());
      reason.add(REASONS.indexOf(entry.getValue()));
      table.endRow();
    }
    table.finish();
  }

  @Override
  public void finish() throws IOException {
    methods.finish();
    transitions.finish();
    writeUnfollowed();
    if (times != null) {
      times.finish();
      threads.finish();
      finishClock();
    }
  }
}
