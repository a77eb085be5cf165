package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.MERGED;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.PARENT;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.ThreadRoot;
import io.jvmscope.probe.NativeFile.OfMethod;
import io.jvmscope.probe.NativeFile.OfThread;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import io.jvmscope.tables.TextColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes tables {@code context_native} and {@code context_native_time}: what native methods did by
 * the context in which they were called; by thread {@link NativeTables} does. What no context of
 * the thread is known to have called is at its root.
 */
final class NativeContexts implements ProbeTables {
  private final NativeTables threads;
  private final Arena arena;
  private final NativeSums sums;

  private final Int32Column context = new Int32Column("context_id");
  private final Int32Column method = new Int32Column("method_id");
  private final TextColumn library = new TextColumn("library");
  private final Int64Column calls = new Int64Column("n_calls");
  private final Int64Column exceptions = new Int64Column("n_exceptions");
  private final Int64Column jniCalls = new Int64Column("n_jni_calls");
  private final Table counts;

  private final Int32Column timeContext = new Int32Column("context_id");
  private final Int32Column timeMethod = new Int32Column("method_id");
  private final TextColumn timeLibrary = new TextColumn("library");
  private final Int64Column self = new Int64Column("self_ns");
  private final Table times; // null without a clock

  // Of the thread that is written now: what waits for its node, and what has its context.
  private final Map<Integer, List<OfMethod>> waiting = new HashMap<>();
  private final Map<Integer, List<OfMethod>> found = new TreeMap<>();
  private int root;

  NativeContexts(Recording recording, NativeFile file) throws IOException {
    threads = new NativeTables(recording.out(), recording.natives(), file);
    arena = recording.arena();
    sums = new NativeSums(recording.natives());
    counts =
        new Table(
            recording.out(),
            "context_native",
            context,
            method,
            library,
            calls,
            exceptions,
            jniCalls);
    times =
        file.clock().kind() != null
            ? new Table(
                recording.out(), "context_native_time", timeContext, timeMethod, timeLibrary, self)
            : null;
  }

  @Override
  public void open(ThreadRoot thread, int contextId) {
    root = contextId;
    for (OfThread part : threads.parts(thread)) {
      part.methods().forEach(this::place);
    }
  }

  private void place(OfMethod called) {
    int link = node(called.context());
    if (link == 0) {
      found.computeIfAbsent(root, id -> new ArrayList<>()).add(called);
    } else {
      waiting.computeIfAbsent(link, at -> new ArrayList<>(1)).add(called);
    }
  }

  /** The node that stands for one: that into which it was merged. */
  private int node(int link) {
    int at = link;
    while (at != 0 && arena.getInt(Arena.address(at) + METHOD) == MERGED) {
      at = arena.getInt(Arena.address(at) + PARENT);
    }
    return at;
  }

  @Override
  public void write(ContextNode node) {
    List<OfMethod> called = waiting.isEmpty() ? null : waiting.remove((int) (node.address >>> 3));
    if (called != null) {
      found.put(node.id, called);
    }
  }

  @Override
  public void write(ThreadRoot thread, int threadId) throws IOException {
    for (List<OfMethod> called : waiting.values()) {
      found.computeIfAbsent(root, id -> new ArrayList<>()).addAll(called);
    }
    for (Map.Entry<Integer, List<OfMethod>> entry : found.entrySet()) {
      int id = entry.getKey();
      entry.getValue().forEach(sums::add);
      sums.drain((methodId, libraryName, sum) -> writeRow(id, methodId, libraryName, sum));
    }
    waiting.clear();
    found.clear();
    threads.write(thread, threadId);
  }

  private void writeRow(int contextId, int methodId, String libraryName, NativeSums.Sums sum)
      throws IOException {
    context.add(contextId);
    method.addId(methodId);
    library.add(libraryName);
    calls.add(sum.calls);
    exceptions.add(sum.exceptions);
    jniCalls.add(sum.jniCalls);
    counts.endRow();
    if (times != null) {
      timeContext.add(contextId);
      timeMethod.addId(methodId);
      timeLibrary.add(libraryName);
      self.add(sum.selfNs);
      times.endRow();
    }
  }

  @Override
  public void finish() throws IOException {
    threads.finish();
    counts.finish();
    if (times != null) {
      times.finish();
    }
  }
}
