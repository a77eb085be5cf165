package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.LifetimeLayout.CLONED;
import static jdk.internal.perf.LifetimeLayout.FOUND;
import static jdk.internal.perf.LifetimeLayout.LENGTH;
import static jdk.internal.perf.LifetimeLayout.MADE;
import static jdk.internal.perf.LifetimeLayout.MADE_OTHERWISE;
import static jdk.internal.perf.LifetimeLayout.NOBODY;
import static jdk.internal.perf.LifetimeLayout.STATIC;
import static jdk.internal.perf.LifetimeLayout.STORED;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.Methods;
import io.jvmscope.arena.RecordingDamaged;
import io.jvmscope.arena.ThreadRoot;
import io.jvmscope.classfile.AllocationSite.Kind;
import io.jvmscope.layout.HeapModel;
import io.jvmscope.probe.ObjectTypes.Type;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Computes the tables of the probe {@code lifetimes} from its log: once over it for the bytes that
 * were allocated at each moment, and once more for the references. Memory is for the objects that
 * were reachable at one moment, as many again, and the rows.
 */
final class LifetimeTables implements ProbeTables {
  private static final Kind[] KINDS = Kind.values();

  private final Recording recording;
  private final Arena arena;
  private final Methods methods;
  private final int share;
  private final ContextPaths paths;
  private final LifetimeRows rows;

  private HeapGraph heap;
  private LifetimeFile file;
  private ByteClock clock;
  private int seen; // the highest number whose objects, and those before, are all in the log
  private IntMap early;
  private int made;

  LifetimeTables(Recording recording, Probe probe) {
    this.recording = recording;
    this.arena = recording.arena();
    this.methods = recording.methods();
    this.share = recording.indexOf(probe);
    this.paths = new ContextPaths(arena);
    this.rows = new LifetimeRows(recording, paths);
  }

  @Override
  public void open(ThreadRoot root, int contextId) {
    paths.add(contextId, root.address());
  }

  @Override
  public void write(ContextNode node) {
    paths.add(node.id, node.address);
  }

  @Override
  public void finish() throws IOException {
    Path path = recording.raw().resolve("lifetimes");
    Path bytes = recording.raw().resolve("lifetimes.bytes");
    try (LifetimeFile opened = new LifetimeFile(path)) {
      if (opened.isIncomplete()) {
        throw new RecordingDamaged(
            "lifetimes: more objects or threads than can be followed, or no space left; record"
                + " without --probes lifetimes");
      }
      file = opened;
      try (ByteClock counting = new ByteClock(bytes, file.clock())) {
        clock = counting;
        file.readLog(this::measure);
        clock.run();
        heap = new HeapGraph();
        early = new IntMap();
        file.readLog(this::follow);
        end();
      }
    }
    rows.write();
  }

  // ---- the bytes

  private void measure(int context, int kind, int lower, int third, int fourth) {
    if (kind == MADE) {
      clock.put(third, madeBytes(context, lower, fourth));
    } else if (kind == MADE_OTHERWISE) {
      clock.put(third, Math.max(0, instanceBytes(recording.classes().type(fourth))));
      made = recording.classes().type(fourth);
    } else if (kind == LENGTH && lower != NOBODY) {
      clock.put(third, arrayBytes(made, fourth));
    }
  }

  private long madeBytes(int context, int site, int units) {
    int at = siteAt(context, site);
    if (at < 0) {
      return 0;
    }
    int type = methods.packed()[at + 2];
    boolean isArray = KINDS[methods.packed()[at + 1]] == Kind.ARRAY;
    return Math.max(0, isArray ? arrayBytes(type, units) : instanceBytes(type));
  }

  private long instanceBytes(int type) {
    Type known = type < 0 ? null : recording.objects().types().get(type);
    boolean isArray = known != null && known.name().startsWith("[");
    return known == null || isArray
        ? 0
        : recording.objects().layouts().instanceBytes(known.classId());
  }

  private long arrayBytes(int type, int units) {
    HeapModel model = recording.objects().layouts().heap();
    if (type < 0 || model == null) {
      return 0;
    }
    return model.arrayBytes(recording.objects().types().get(type).name().charAt(1), units);
  }

  /** Where the site of a node's method is among what methods know; -1 if that is not known. */
  private int siteAt(int context, int site) {
    int method = arena.getInt(Arena.address(paths.whole(context)) + METHOD);
    if (method < 0) {
      return -1;
    }
    int start = methods.share(methods.layout(method), share);
    int at = start + 1 + Lifetimes.SITE_INTS * site;
    return at < start + 1 + methods.packed()[start] ? at : -1;
  }

  // ---- the references

  private void follow(int context, int kind, int lower, int third, int fourth) {
    switch (kind) {
      case MADE -> make(context, third, lower, -1);
      case MADE_OTHERWISE -> make(context, third, lower - 1, recording.classes().type(fourth));
      case FOUND -> find(third, recording.classes().type(fourth));
      case STORED -> store(context, lower, third, fourth);
      case STATIC -> storeStatic(context, third, fourth);
      case CLONED -> copy(third, fourth);
      case LENGTH -> {
        if (lower == NOBODY) {
          count(third);
        }
      }
      default -> throw new RecordingDamaged("lifetimes: no record has kind " + kind);
    }
  }

  private void make(int context, int number, int site, int type) {
    int at = site < 0 ? -1 : siteAt(context, site);
    int instruction = at < 0 ? -1 : methods.packed()[at];
    int known = type >= 0 || at < 0 ? type : methods.packed()[at + 2];
    HeapObject object = new HeapObject(number, context, instruction, known, false);
    object.stamp = file.stamp(number);
    if (object.stamp == 0) {
      rows.unconstructed(known);
    } else {
      heap.add(object);
    }
    count(number);
  }

  private void find(int number, int type) {
    heap.add(new HeapObject(number, 0, -1, type, true));
    rows.found(type);
    count(number);
  }

  /** Threads may log objects in another order than they were numbered. */
  private void count(int number) {
    early.put(number, 1);
    if (number == seen + 1) {
      while (early.get(seen + 1) == 1) {
        seen++;
      }
      early = new IntMap();
    }
    if (heap.isFull()) {
      heap.collect(seen, this::died);
    }
  }

  private void store(int context, int place, int from, int to) {
    HeapObject object = heap.get(from);
    if (object != null) {
      release(context, object.refer(place, to));
    }
  }

  private void storeStatic(int context, int old, int now) {
    HeapObject before = heap.get(old);
    HeapObject after = heap.get(now);
    if (before != null && before.fixed > 0) {
      before.fixed--;
      release(context, old);
    }
    if (after != null) {
      after.fixed++;
    }
  }

  /** Something does not refer to an object any more. */
  private void release(int context, int number) {
    HeapObject object = heap.get(number);
    long now = (long) seen << 32 | context & 0xFFFF_FFFFL;
    if (object != null && object.stamp >>> 32 <= seen) {
      object.stamp = now;
    }
  }

  private void copy(int from, int to) {
    HeapObject original = heap.get(from);
    HeapObject clone = heap.get(to);
    if (original != null && clone != null) {
      clone.referAs(original);
    }
  }

  // ---- deaths

  private void died(HeapObject object, long stamp) {
    int at = (int) (stamp >>> 32);
    rows.died(object, clock.at(at) - clock.at(object.number), (int) stamp);
  }

  /** What static fields, frames and what was found refer to is alive. */
  private void end() throws IOException {
    file.readFrames(
        number -> {
          HeapObject object = heap.get(number);
          if (object != null) {
            object.fixed++;
          }
        });
    heap.collect(file.clock(), this::died);
    heap.forEach((object, stamp) -> rows.stayed(object));
  }
}
