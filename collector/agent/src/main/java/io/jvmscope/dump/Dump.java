package io.jvmscope.dump;

import static jdk.internal.perf.ArenaLayout.WITHOUT_ROOM;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.Methods;
import io.jvmscope.arena.RecordingDamaged;
import io.jvmscope.arena.ThreadRoot;
import io.jvmscope.classfile.JdkIndex;
import io.jvmscope.layout.HeapModel;
import io.jvmscope.probe.Recording;
import io.jvmscope.probe.Unlogged;
import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Json;
import io.jvmscope.tables.Lane;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Turns what the agent left of one VM into frames. */
final class Dump {
  private static final int MOST_WAITING_CLASSES = 64;

  private final Path raw;
  private final RecordingOptions options;
  private final FrameWriter out;

  Dump(Path raw, RecordingOptions options, FrameWriter out) {
    this.raw = raw;
    this.options = options;
    this.out = out;
  }

  /** Writes everything, the result last; {@link RecordingDamaged} if it cannot be read. */
  void run() throws IOException {
    Arena arena = Arena.open(options.arena());
    JdkIndex index = options.cache() == null ? null : JdkIndex.read(options.cache());
    try (ClassLogReader log = new ClassLogReader(raw.resolve("classes.log"));
        Lane lane = new Lane("class files", MOST_WAITING_CLASSES)) {
      JdkImage image = new JdkImage(options.patches());
      StaticTables tables =
          new StaticTables(out, lane, options, index, log, image, HeapModel.of(arena));
      tables.write();
      Map<String, Object> result = dumpTrees(arena, tables);
      lane.finish();
      out.json(FrameWriter.RESULT, 0, Json.object(result));
    }
  }

  /** Writes the trees; the content of the RESULT frame. */
  private Map<String, Object> dumpTrees(Arena arena, StaticTables tables) throws IOException {
    long total = 2 * arena.used();
    Methods methods = tables.methods();
    UpcallRule rule = new UpcallRule(methods, tables.hierarchy());
    TreeSorter sorter =
        new TreeSorter(
            arena, methods, rule, tables.firstProgramId(), bytes -> out.progress(bytes, total));
    List<ThreadRoot> roots = new ArrayList<>();
    long contexts = sort(arena, sorter, roots);
    tables.writeCallSites();
    double perContext = (double) arena.used() / Math.max(1, contexts);
    Recording recording =
        new Recording(
            raw,
            out,
            arena,
            methods,
            tables.receiverClasses(),
            tables.fields(),
            tables.natives(),
            new Recording.Objects(tables.types(), tables.layouts(), sorter::continuedIn),
            sorter.hasFolded(),
            new Unlogged(),
            options.probes().chosen());
    ContextWriter writer =
        new ContextWriter(
            recording, done -> out.progress(arena.used() + (long) (done * perContext), total));
    for (int thread = 0; thread < roots.size(); thread++) {
      writer.write(roots.get(thread), thread);
    }
    writer.finish();
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("contexts", contexts);
    result.put("threads", roots.size());
    result.put("main_context", writer.mainContext());
    result.put("main_class", mainClass(writer, tables));
    result.put("exclusions", tables.exclusionCount());
    result.put("dropped", sorter.dropped());
    result.put("unlogged", recording.unlogged().counts());
    result.put("without_room", arena.getLong(WITHOUT_ROOM));
    return result;
  }

  /** Sorts the trees and adds the roots of those that are kept; the number of their contexts. */
  private long sort(Arena arena, TreeSorter sorter, List<ThreadRoot> roots) throws IOException {
    long contexts = 0;
    for (ThreadRoot root : arena.roots()) {
      int size = sorter.sort(root);
      if (options.vmThreads() || !root.isVmInternal() || sorter.ranProgram()) {
        sorter.keep();
        roots.add(root);
        contexts += size;
      }
    }
    if (contexts > Integer.MAX_VALUE) {
      throw new RecordingDamaged(
          "arena: " + contexts + " contexts, at most 2147483647 fit; record with --max-memory");
    }
    return contexts;
  }

  private String mainClass(ContextWriter writer, StaticTables tables) {
    if (options.mainClass() != null) {
      return options.mainClass(); // not the class that it inherits main from
    }
    int id = writer.mainClass();
    return id < 0 ? null : tables.className(id);
  }
}
