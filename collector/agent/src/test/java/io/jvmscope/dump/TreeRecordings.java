package io.jvmscope.dump;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.Methods;
import io.jvmscope.probe.Probe;
import io.jvmscope.probe.Recording;
import io.jvmscope.probe.Unlogged;
import io.jvmscope.tables.FrameWriter;

/** Recordings of trees alone, without what the tables of probes are made of. */
final class TreeRecordings {
  private TreeRecordings() {}

  static Recording of(
      FrameWriter out, Arena arena, Methods methods, boolean hasFolded, Probe... probes) {
    return new Recording(
        null, out, arena, methods, null, null, null, null, hasFolded, new Unlogged(), probes);
  }
}
