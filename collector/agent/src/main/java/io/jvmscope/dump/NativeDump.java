package io.jvmscope.dump;

import io.jvmscope.probe.NativeFile;
import io.jvmscope.probe.NativeFile.Method;
import io.jvmscope.probe.NativeFile.OfMethod;
import io.jvmscope.probe.NativeFile.OfThread;
import io.jvmscope.probe.NativeFile.Who;
import io.jvmscope.probe.NativeTables;
import io.jvmscope.tables.BoolColumn;
import io.jvmscope.tables.CodeColumn;
import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Json;
import io.jvmscope.tables.Table;
import io.jvmscope.tables.TextColumn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Turns what the library for native code left of a VM into frames, where calls were not counted:
 * its tables, and tables of threads, classes and methods with what it knows of them.
 */
final class NativeDump {
  private final Path raw;
  private final RecordingOptions options;
  private final FrameWriter out;

  NativeDump(Path raw, RecordingOptions options, FrameWriter out) {
    this.raw = raw;
    this.options = options;
    this.out = out;
  }

  /** Writes everything, the result last. */
  void run() throws IOException {
    NativeFile file = NativeFile.read(raw.resolve(NativeFile.NAME));
    Map<Long, List<OfThread>> threads = threads(file);
    NativeMethods natives = writeMethods(threads, file.unfollowed());
    writeThreads(threads);
    NativeTables tables = new NativeTables(out, natives, file);
    int id = 0;
    for (List<OfThread> parts : threads.values()) {
      tables.write(parts, id++);
    }
    tables.finish();
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("contexts", 0);
    result.put("threads", threads.size());
    result.put("main_context", -1);
    result.put("main_class", options.mainClass());
    result.put("exclusions", 0);
    result.put("dropped", 0);
    result.put("unlogged", Map.of());
    result.put("without_room", 0);
    out.json(FrameWriter.RESULT, 0, Json.object(result));
  }

  /** The threads in the order of their start, by number; those of the VM only if wanted. */
  private Map<Long, List<OfThread>> threads(NativeFile file) {
    Map<Long, List<OfThread>> threads = new LinkedHashMap<>();
    for (OfThread part : file.threads()) {
      Who who = part.who();
      if (who.tid() != 0 && (options.vmThreads() || !who.isVmInternal())) {
        threads.computeIfAbsent(who.tid(), tid -> new ArrayList<>(1)).add(part);
      }
    }
    return threads;
  }

  /** Writes tables {@code class} and {@code method}: natives that were called, or not followed. */
  private NativeMethods writeMethods(Map<Long, List<OfThread>> threads, List<Method> unfollowed)
      throws IOException {
    TreeSet<Method> known =
        new TreeSet<>(
            Comparator.comparing(Method::className)
                .thenComparing(Method::name)
                .thenComparing(Method::descriptor));
    known.addAll(unfollowed);
    for (List<OfThread> parts : threads.values()) {
      for (OfThread part : parts) {
        part.methods().stream().map(OfMethod::method).filter(m -> m != null).forEach(known::add);
      }
    }
    Int32Column classId = new Int32Column("class_id");
    TextColumn className = new TextColumn("name");
    Table classes = new Table(out, "class", classId, className);
    Int32Column methodId = new Int32Column("method_id");
    Int32Column ofClass = new Int32Column("class_id");
    TextColumn name = new TextColumn("name");
    TextColumn descriptor = new TextColumn("descriptor");
    Table methods = new Table(out, "method", methodId, ofClass, name, descriptor);
    NativeMethods natives = new NativeMethods();
    String last = null;
    for (Method method : known) {
      if (!method.className().equals(last)) {
        last = method.className();
        classId.add((int) classes.total());
        className.add(last);
        classes.endRow();
      }
      int id = (int) methods.total();
      natives.add(last, method.name(), method.descriptor(), id);
      methodId.add(id);
      ofClass.add((int) classes.total() - 1);
      name.add(method.name());
      descriptor.add(method.descriptor());
      methods.endRow();
    }
    classes.finish();
    methods.finish();
    return natives;
  }

  private void writeThreads(Map<Long, List<OfThread>> threads) throws IOException {
    Int32Column thread = new Int32Column("thread_id");
    TextColumn name = new TextColumn("name");
    CodeColumn kind = new CodeColumn("kind", List.of("platform", "virtual"));
    Int32Column order = new Int32Column("start_order");
    BoolColumn isDaemon = new BoolColumn("is_daemon");
    BoolColumn isVmInternal = new BoolColumn("is_vm_internal");
    Table table = new Table(out, "thread", thread, name, kind, order, isDaemon, isVmInternal);
    for (List<OfThread> parts : threads.values()) {
      Who who = parts.get(0).who();
      int id = (int) table.total();
      thread.add(id);
      name.add(who.name() == null ? "" : who.name());
      kind.add(who.isVirtual() ? 1 : 0);
      order.add(id);
      isDaemon.add(who.isDaemon());
      isVmInternal.add(who.isVmInternal());
      table.endRow();
    }
    table.finish();
  }
}
