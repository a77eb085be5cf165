package io.jvmscope.dump;

import static jdk.internal.perf.ArenaLayout.COUNTERS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.Methods;
import io.jvmscope.arena.ThreadRoot;
import io.jvmscope.probe.Probes;
import io.jvmscope.probe.Recording;
import io.jvmscope.tables.FrameWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Executions of the stretches that exact exceptions count. */
final class SegmentsTest {
  private static final int FIRST_SEGMENT = 7;

  @TempDir Path folder;

  /** A method of one block, of 10 bytecodes: segments of 4, 5 and 1. */
  private static Methods methods(int probes) {
    Methods methods = new Methods(probes);
    methods.add(1, 0);
    int[] head = {1, 3, 1, 0, 0, 0, COUNTERS, 10};
    int[] segments = {
      1 + 3 * 2, FIRST_SEGMENT, COUNTERS, 4, COUNTERS + 8, 5, COUNTERS + 16, 1,
    };
    methods.define(0, 0, methods.pack(head), 0, 0, (byte) 0);
    methods.pack(segments);
    return methods;
  }

  @Test
  void countsNoBytecodesBehindAThrow() throws IOException {
    Probes probes = Probes.of(Map.of("exact_exceptions", "true"));
    Methods methods = methods(probes.chosen().length);
    try (ArenaBuilder arena = new ArenaBuilder(folder.resolve("arena"), 4 << 20)) {
      int main = arena.root("main", 0, 0, 0);
      arena.node(main, 0, 0, 1, 8, 3, 0); // entered 8 times, 5 times thrown in the first segment
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (FrameWriter out = new FrameWriter(Channels.newChannel(bytes))) {
      Arena arena = Arena.open(folder.resolve("arena"));
      ThreadRoot root = arena.roots().get(0);
      UpcallRule rule = new UpcallRule(methods, new ClassHierarchy(1));
      TreeSorter sorter = new TreeSorter(arena, methods, rule, Integer.MAX_VALUE, done -> {});
      sorter.sort(root);
      sorter.keep();
      methods.numberSites();
      Recording recording = TreeRecordings.of(out, arena, methods, false, probes.chosen());
      ContextWriter writer = new ContextWriter(recording, done -> {});
      writer.write(root, 0);
      writer.finish();
    }
    FrameParser frames = new FrameParser(bytes.toByteArray());
    assertEquals(List.of(8L), frames.column("context_block", "n_executions"));
    assertEquals(
        List.of(FIRST_SEGMENT, FIRST_SEGMENT + 1),
        frames.column("context_segment", "block_segment_id"));
    assertEquals(List.of(8L, 3L), frames.column("context_segment", "n_executions"));
    long bytecodes = 8 * 4 + 3 * 5;
    assertEquals(List.of(0L, bytecodes), frames.column("context", "n_bytecodes"));
    assertEquals(List.of(bytecodes), frames.column("thread_method", "n_bytecodes"));
  }
}
