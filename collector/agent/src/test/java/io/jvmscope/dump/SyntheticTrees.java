package io.jvmscope.dump;

import static jdk.internal.perf.ArenaLayout.COUNTERS;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.Methods;
import io.jvmscope.arena.ThreadRoot;
import io.jvmscope.probe.Recording;
import io.jvmscope.tables.FrameWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Big trees of made-up methods, to measure the two walks: {@code SyntheticTrees ARENA NODES} builds
 * an arena unless the file exists, and writes the frames of its trees to standard output. One
 * callee in a hundred is the VM's, one node in fifty has several children in a slot.
 */
final class SyntheticTrees {
  private static final int METHODS = 30_000;
  private static final int CALL = 0;
  private static final int OTHER = 1;

  private SyntheticTrees() {}

  private static int slots(int method) {
    return 2 + method % 7;
  }

  private static int blocks(int method) {
    return 1 + method % 8;
  }

  static Methods methods() {
    Methods methods = new Methods(0);
    for (int m = 0; m < METHODS; m++) {
      int invokes = slots(m) - 1;
      int id = methods.add(blocks(m), invokes);
      int[] layout =
          new int[Methods.HEAD_INTS + Methods.BLOCK_INTS * blocks(m) + Methods.SITE_INTS * invokes];
      layout[Methods.SLOTS] = slots(m);
      layout[Methods.COUNTERS] = blocks(m);
      layout[Methods.BLOCKS] = blocks(m);
      layout[Methods.FIRST_BLOCK] = methods.firstBlock(id);
      layout[Methods.SITES] = invokes;
      int at = Methods.HEAD_INTS;
      for (int b = 0; b < blocks(m); b++) {
        layout[at++] = COUNTERS + 8 * b;
        layout[at++] = 3 + b;
      }
      for (int s = 0; s < invokes; s++) {
        layout[at++] = s + 1;
        layout[at++] = s;
        layout[at++] = CALL;
        layout[at++] = 0;
        layout[at++] = 0;
      }
      int symbol = m % 97 == 0 ? OTHER : CALL;
      methods.define(m, id, methods.pack(layout), symbol, 0, (byte) 0);
    }
    return methods;
  }

  static void build(Path path, int nodes) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    try (ArenaBuilder arena = new ArenaBuilder(path, 120L * nodes + (1 << 21))) {
      int[] link = new int[400];
      int[] slot = new int[400];
      int[] method = new int[400];
      link[0] = arena.root("main", 0, 0, 0);
      int depth = 0;
      for (int n = 0; n < nodes; n++) {
        while (depth > 0 && (slot[depth] == slots(method[depth]) || depth == 399)) {
          depth--;
        }
        int into = depth == 0 ? 0 : slot[depth];
        int callee =
            depth == 0
                ? random.nextInt(METHODS)
                : (method[depth] * 31 + into * 7919 + random.nextInt(4) * 13) % METHODS;
        if (random.nextInt(50) != 0) {
          slot[depth]++;
        }
        long[] counters = new long[blocks(callee)];
        for (int i = 0; i < counters.length; i++) {
          counters[i] = i == 0 || random.nextInt(3) > 0 ? 1L + random.nextInt(1 << n % 20) : 0;
        }
        int child = arena.node(link[depth], into, callee, slots(callee), counters);
        depth++;
        link[depth] = child;
        slot[depth] = 1;
        method[depth] = callee;
        if (random.nextInt(3) == 0) {
          depth -= random.nextInt(depth);
        }
      }
    }
  }

  /** Writes the frames of an arena's trees, two walks; how long they took. */
  static String dump(Path path, WritableByteChannel channel) throws IOException {
    Arena arena = Arena.open(path);
    Methods methods = methods();
    UpcallRule rule = new UpcallRule(methods, new ClassHierarchy(0));
    TreeSorter sorter = new TreeSorter(arena, methods, rule, Integer.MAX_VALUE, bytes -> {});
    long start = System.nanoTime();
    int size = 0;
    for (ThreadRoot root : arena.roots()) {
      size += sorter.sort(root);
      sorter.keep();
    }
    long sorted = System.nanoTime();
    methods.numberSites();
    try (FrameWriter out = new FrameWriter(channel)) {
      Recording recording = TreeRecordings.of(out, arena, methods, sorter.hasFolded());
      ContextWriter writer = new ContextWriter(recording, done -> {});
      int thread = 0;
      for (ThreadRoot root : arena.roots()) {
        writer.write(root, thread++);
      }
      writer.finish();
      out.json(FrameWriter.RESULT, 0, "{}");
    }
    long written = System.nanoTime();
    return String.format(
        "%d contexts, %d bytes: sort %d ms, write %d ms",
        size, arena.used(), (sorted - start) / 1_000_000, (written - sorted) / 1_000_000);
  }

  public static void main(String[] args) throws IOException {
    Path path = Path.of(args[0]);
    if (!Files.exists(path)) {
      build(path, Integer.parseInt(args[1]));
    }
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      System.err.println(dump(path, out.getChannel()));
    }
  }
}
