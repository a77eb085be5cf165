package io.jvmscope.dump;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.Methods;
import io.jvmscope.arena.ThreadRoot;
import io.jvmscope.classfile.MethodPlan.Coverage;
import io.jvmscope.dump.CanonicalOrder.Place;
import io.jvmscope.dump.ClassLogReader.Receiver;
import io.jvmscope.probe.ObjectTypes;
import io.jvmscope.probe.Probes;
import io.jvmscope.probe.Recording;
import io.jvmscope.probe.Unlogged;
import io.jvmscope.tables.FrameWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts by receiver, and the cells that keep the order of calls and branches. */
final class ProbesTest {
  private static final int RECEIVER_SLOT = 3;

  @TempDir Path folder;

  private final Probes probes = Probes.of(Map.of("probes", "order,receivers"));
  private final Methods methods = new Methods(probes.chosen().length);

  /** Methods 1 and 2: cells in slot 1, a virtual site in slot 2, receivers in slot 3; a branch. */
  private ArenaBuilder arena() throws IOException {
    for (int m = 0; m < 3; m++) {
      methods.add(0, 1);
      int[] layout = {
        4,
        1,
        0,
        0,
        1,
        1,
        2,
        0,
        0,
        Methods.VIRTUAL,
        0,
        1,
        100 + m, // order: the key of the branch
        1,
        RECEIVER_SLOT
      };
      methods.define(m, m, methods.pack(layout), 0, m, (byte) 0);
    }
    return new ArenaBuilder(folder.resolve("arena"), 4 << 20);
  }

  private static Place place(String name) {
    LoadedClass loaded = new LoadedClass(2, 0, 0, name, new Coverage[0], 0, 0);
    return new Place(loaded, name, "app");
  }

  private final ObjectTypes types = new ObjectTypes();

  private ReceiverClasses classes() {
    List<Place> places = List.of(place("a/A"), place("a/L"), place("a/L"), place("b/B"));
    List<Receiver> received =
        List.of(
            new Receiver(1, 2, "b/B"), new Receiver(2, 2, "a/A"),
            new Receiver(3, 2, "a/L/0x00007f0001"), new Receiver(4, 2, "[I"));
    return new ReceiverClasses(received, Map.of(), places, types);
  }

  private FrameParser dump() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (FrameWriter out = new FrameWriter(Channels.newChannel(bytes))) {
      Arena arena = Arena.open(folder.resolve("arena"));
      UpcallRule rule = new UpcallRule(methods, new ClassHierarchy(3));
      TreeSorter sorter = new TreeSorter(arena, methods, rule, Integer.MAX_VALUE, done -> {});
      ThreadRoot root = arena.roots().get(0);
      sorter.sort(root);
      sorter.keep();
      methods.numberSites();
      Recording recording =
          new Recording(
              null,
              out,
              arena,
              methods,
              classes(),
              null,
              null,
              null,
              sorter.hasFolded(),
              new Unlogged(),
              probes.chosen());
      ContextWriter writer = new ContextWriter(recording, done -> {});
      writer.write(root, 0);
      writer.finish();
    }
    return new FrameParser(bytes.toByteArray());
  }

  @Test
  void countsReceiversOfDispatchedCalls() throws IOException {
    try (ArenaBuilder arena = arena()) {
      int main = arena.root("main", 0, 0, 0);
      int a = arena.node(main, 0, 1, 4, 3);
      arena.receiver(a, RECEIVER_SLOT, 1, 3); // begun by the VM: no dispatch
      int b = arena.node(a, 2, 2, 4, 9);
      arena.receiver(b, RECEIVER_SLOT, 1, 4);
      arena.receiver(b, RECEIVER_SLOT, 2, 5);
      arena.receiver(b, RECEIVER_SLOT, 4, 7); // an array, which is no class of the log
    }
    FrameParser frames = dump();
    assertEquals(List.of(2, 2, 2), frames.column("receiver", "context_id"));
    assertEquals(Arrays.asList(0, 3, null), frames.column("receiver", "class_id"));
    assertEquals(List.of(5L, 4L, 7L), frames.column("receiver", "n_calls"));
  }

  @Test
  void findsTheClassThatDeclaresTheMethod() {
    ReceiverClasses classes = classes();
    assertEquals(3, classes.find(1, 0));
    assertEquals(1, classes.find(3, 1));
    assertEquals(2, classes.find(3, 2));
    assertEquals(-1, classes.find(4, 0));
    assertEquals(-1, classes.find(77, 0));
  }

  @Test
  void takesNoHiddenClassForOneOfTheSameName() {
    ReceiverClasses classes = classes();
    assertEquals(-1, classes.find(3, 0));
    assertEquals("a/L", types.get(classes.type(3)).name());
    assertEquals(-1, types.get(classes.type(3)).classId());
    assertTrue(classes.isFromBefore(3));
    assertFalse(classes.isFromBefore(1));
  }

  @Test
  void writesTheOrderOfCallsAndBranches() throws IOException {
    try (ArenaBuilder arena = arena()) {
      int main = arena.root("main", 0, 0, 0);
      arena.node(main, 0, 1, 4, 1);
      arena.cells(main, 2, new long[][] {{10, 3, 2}, {20, 7, 0}});
      arena.cells(main, 1, new long[][] {{0, 0, 0}, {5, 1, 0}});
    }
    FrameParser frames = dump();
    assertEquals(List.of(2), frames.column("call_order", "call_site_id"));
    assertEquals(List.of(10L), frames.column("call_order", "n_calls"));
    assertEquals(List.of(3L), frames.column("call_order", "n_receiver_misses"));
    assertEquals(List.of(2L), frames.column("call_order", "n_target_misses"));
    assertEquals(List.of(101, 102), frames.column("branch_order", "instruction_id"));
    assertEquals(List.of(5L, 20L), frames.column("branch_order", "n_executions"));
    assertEquals(List.of(1L, 7L), frames.column("branch_order", "n_changes"));
  }

  @Test
  void leavesTheOrderOfCallsOutWhereContextsFolded() throws IOException {
    try (ArenaBuilder arena = arena()) {
      int main = arena.root("main", 0, 0, 0);
      int a = arena.node(main, 0, 1, 4, 1);
      arena.proxy(a, 2, 1, a, 2);
    }
    FrameParser frames = dump();
    assertNull(frames.table("call_order"));
    assertEquals(0, frames.end("branch_order"));
  }
}
