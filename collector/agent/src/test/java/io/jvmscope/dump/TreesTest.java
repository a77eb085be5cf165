package io.jvmscope.dump;

import static jdk.internal.perf.ArenaLayout.COUNTERS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.Methods;
import io.jvmscope.arena.RecordingDamaged;
import io.jvmscope.arena.ThreadRoot;
import io.jvmscope.probe.Recording;
import io.jvmscope.tables.FrameWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The two walks, on arenas made by hand. Method m is the only one of class m. */
final class TreesTest {
  private static final int NAME_F = 0;
  private static final int NAME_G = 1;
  private static final int INIT = 5; // a method that only the VM calls here
  private static final int LEAF = 6;

  @TempDir Path folder;

  private final Methods methods = new Methods(0);

  /** Methods 0 to 4 are named f and have 2 blocks, sites 1 and 2 of f, and a counted leaf. */
  private void define() {
    for (int m = 0; m < 7; m++) {
      boolean isBare = m == LEAF;
      int id = methods.add(isBare ? 0 : 2, isBare ? 0 : 3);
      int b = methods.firstBlock(id);
      int[] layout = {
        3,
        3,
        2,
        b,
        3,
        0,
        COUNTERS,
        10,
        COUNTERS + 8,
        100,
        1,
        0,
        NAME_F,
        Methods.VIRTUAL,
        COUNTERS,
        ~2,
        1,
        LEAF,
        0,
        COUNTERS,
        2,
        2,
        NAME_F,
        Methods.VIRTUAL,
        COUNTERS
      };
      int start = isBare ? Methods.BARE : methods.pack(layout);
      methods.define(m, id, start, m == INIT ? NAME_G : NAME_F, m, (byte) 0);
    }
  }

  private ArenaBuilder arena() throws IOException {
    define();
    return new ArenaBuilder(folder.resolve("arena"), 4 << 20);
  }

  private FrameParser dump() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (FrameWriter out = new FrameWriter(Channels.newChannel(bytes))) {
      Arena arena = Arena.open(folder.resolve("arena"));
      UpcallRule rule = new UpcallRule(methods, new ClassHierarchy(7));
      TreeSorter sorter = new TreeSorter(arena, methods, rule, Integer.MAX_VALUE, done -> {});
      for (ThreadRoot root : arena.roots()) {
        sorter.sort(root);
        sorter.keep();
      }
      methods.numberSites();
      Recording recording = TreeRecordings.of(out, arena, methods, sorter.hasFolded());
      ContextWriter writer = new ContextWriter(recording, done -> {});
      int thread = 0;
      for (ThreadRoot root : arena.roots()) {
        writer.write(root, thread++);
      }
      writer.finish();
    }
    return new FrameParser(bytes.toByteArray());
  }

  @Test
  void writesContextsInPreOrder() throws IOException {
    try (ArenaBuilder arena = arena()) {
      int second = arena.root("second", 1, 1, 0);
      int main = arena.root("main", 0, 0, 2);
      int a = arena.node(main, 0, 1, 3, 1, 5, 0);
      arena.node(a, 2, 0, 3, 4, 0, 0);
      arena.node(a, 1, 3, 3, 7, 1, 0);
      int b = arena.node(a, 1, 2, 3, 2, 0, 0);
      arena.node(b, 1, 1, 3, 9, 0, 0);
      arena.node(second, 0, 4, 3, 1, 0, 0);
    }
    FrameParser frames = dump();
    assertEquals(List.of("main", "second"), frames.column("thread", "name"));
    assertEquals(List.of("platform", "virtual"), frames.column("thread", "kind"));
    assertEquals(List.of(0, 6), frames.column("thread", "root_context_id"));
    assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7), frames.column("context", "context_id"));
    assertEquals(
        Arrays.asList(null, 1, 2, 1, 3, 0, null, 4), frames.column("context", "method_id"));
    assertEquals(
        Arrays.asList(null, 0, 1, 2, 1, 1, null, 6), frames.column("context", "parent_id"));
    assertEquals(
        Arrays.asList(null, null, 3, 6, 3, 5, null, null),
        frames.column("context", "call_site_id"));
    assertEquals(List.of(6, 5, 2, 1, 1, 1, 2, 1), frames.column("context", "size"));
    assertEquals(List.of(0, 1, 2, 3, 2, 2, 0, 1), frames.column("context", "depth"));
    assertEquals(
        Arrays.asList(null, null, null, 1, null, null, null, null),
        frames.column("context", "ancestor_id"));
    assertEquals(List.of(0L, 1L, 2L, 9L, 7L, 4L, 0L, 1L), frames.column("context", "n_calls"));
    assertEquals(
        List.of(0L, 510L, 20L, 90L, 170L, 40L, 0L, 10L), frames.column("context", "n_bytecodes"));
    assertEquals(List.of(1, 1, 2, 3, 4, 4, 5, 7), frames.column("context_block", "context_id"));
    assertEquals(List.of(2, 3, 4, 2, 6, 7, 0, 8), frames.column("context_block", "basic_block_id"));
    assertEquals(List.of(0, 1, 2, 3, 4), frames.column("thread_method", "method_id"));
    assertEquals(List.of(4L, 10L, 2L, 7L, 1L), frames.column("thread_method", "n_calls"));
    assertEquals(List.of(0, 2, 3, 4, 6, 7, 8), frames.column("thread_block", "basic_block_id"));
    assertEquals(8, frames.end("context"));
  }

  @Test
  void hangsCallsOfTheVmAtTheirOwnSite() throws IOException {
    try (ArenaBuilder arena = arena()) {
      int main = arena.root("main", 0, 0, 0);
      int a = arena.node(main, 0, 1, 3, 1, 0, 0);
      arena.node(a, 1, 2, 3, 1, 0, 0);
      int first = arena.node(a, 1, INIT, 3, 1, 0, 0);
      arena.node(first, 1, 3, 3, 1, 0, 0);
      int other = arena.node(a, 2, INIT, 3, 2, 0, 0);
      arena.node(other, 1, 3, 3, 2, 0, 0);
      arena.node(a, 0, INIT, 3, 4, 0, 0);
    }
    FrameParser frames = dump();
    assertEquals(Arrays.asList(null, 1, INIT, 3, 2), frames.column("context", "method_id"));
    assertEquals(List.of(0L, 1L, 7L, 3L, 1L), frames.column("context", "n_calls"));
    // Method 1 has three sites and one for the VM, which comes first: 3; its sites are 4 to 6.
    assertEquals(Arrays.asList(null, null, 3, 16, 4), frames.column("context", "call_site_id"));
  }

  @Test
  void makesContextsOfLeavesCountedAtSites() throws IOException {
    try (ArenaBuilder arena = arena()) {
      int main = arena.root("main", 0, 0, 0);
      int a = arena.node(main, 0, 1, 3, 1, 0, 12);
      arena.node(a, 2, 2, 3, 1, 0, 0);
      arena.node(a, 1, 3, 3, 1, 0, 0);
    }
    FrameParser frames = dump();
    assertEquals(Arrays.asList(null, 1, 3, LEAF, 2), frames.column("context", "method_id"));
    assertEquals(List.of(5, 4, 1, 1, 1), frames.column("context", "size"));
    assertEquals(12L, frames.column("context", "n_calls").get(3));
  }

  @Test
  void readsTablesOfManyTargets() throws IOException {
    try (ArenaBuilder arena = arena()) {
      int main = arena.root("main", 0, 0, 0);
      int a = arena.node(main, 0, 1, 3, 1, 0, 0);
      for (int m = 0; m < 5; m++) {
        arena.node(a, 1, m, 3, 1, 0, 0);
      }
      arena.makeTable(a, 1, 16);
    }
    assertEquals(Arrays.asList(null, 1, 0, 1, 2, 3, 4), dump().column("context", "method_id"));
  }

  @Test
  void writesFoldedEdges() throws IOException {
    try (ArenaBuilder arena = arena()) {
      int main = arena.root("main", 0, 0, 0);
      int a = arena.node(main, 0, 1, 3, 1, 0, 0);
      int b = arena.node(a, 1, 2, 3, 1, 0, 0);
      arena.proxy(b, 1, 1, a, 30);
      int overflow = arena.node(main, 1, 4, 3, 5, 0, 0);
      arena.proxy(b, 2, 4, overflow, 5);
      arena.proxy(b, 2, 4, overflow, 6);
    }
    FrameParser frames = dump();
    assertEquals(Arrays.asList(null, 1, 2, 4), frames.column("context", "method_id"));
    assertEquals(List.of(false, true, false, true), frames.column("context", "is_folded"));
    assertEquals(List.of(2, 2), frames.column("back_edge", "context_id"));
    assertEquals(List.of(6, 8), frames.column("back_edge", "call_site_id"));
    assertEquals(List.of(1, 3), frames.column("back_edge", "target_context_id"));
    assertEquals(List.of(30L, 11L), frames.column("back_edge", "n_calls"));
  }

  @Test
  void writesDeepRecursion() throws IOException {
    int depth = 20_000;
    try (ArenaBuilder arena = arena()) {
      int at = arena.root("main", 0, 0, 0);
      for (int i = 0; i < depth; i++) {
        at = arena.node(at, i == 0 ? 0 : 1, 1, 3, 1, 0, 0);
      }
    }
    FrameParser frames = dump();
    assertEquals(depth + 1, frames.end("context"));
    assertEquals(depth, frames.column("context", "depth").get(depth));
    assertEquals(depth - 1, frames.column("context", "ancestor_id").get(depth));
  }

  @Test
  void leavesOutNodesOfUnknownMethods() throws IOException {
    try (ArenaBuilder arena = arena()) {
      int main = arena.root("main", 0, 0, 0);
      arena.node(main, 0, 77, 3, 1, 0, 0);
      arena.node(main, 0, 1, 3, 1, 0, 0);
    }
    assertEquals(Arrays.asList(null, 1), dump().column("context", "method_id"));
  }

  @Test
  void sortsTwiceWithoutHarm() throws IOException {
    hangsCallsOfTheVmAtTheirOwnSite();
    assertEquals(List.of(0L, 1L, 7L, 3L, 1L), dump().column("context", "n_calls"));
  }

  @Test
  void findsCircles() throws IOException {
    try (ArenaBuilder arena = arena()) {
      int main = arena.root("main", 0, 0, 0);
      int a = arena.node(main, 0, 1, 3, 1, 0, 0);
      arena.putInt(Arena.address(a) + Arena.slot(1), a);
    }
    RecordingDamaged damage = assertThrows(RecordingDamaged.class, this::dump);
    assertTrue(damage.getMessage().contains("cycle"), damage.getMessage());
  }

  @Test
  void writesAnEmptyRoot() throws IOException {
    try (ArenaBuilder arena = arena()) {
      arena.root("main", 0, 0, 0);
    }
    assertEquals(List.of(1), dump().column("context", "size"));
  }
}
