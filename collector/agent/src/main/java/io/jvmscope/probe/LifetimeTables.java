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
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Computes the tables of the probe {@code lifetimes} from its log, which is read once. Memory is
 * for the objects that were reachable at one moment, and as many again; rows that are many are on
 * the disk.
 */
final class LifetimeTables implements ProbeTables {
  private static final Kind[] KINDS = Kind.values();

  private final Recording recording;
  private final Arena arena;
  private final Methods methods;
  private final int share;
  private final ContextPaths paths;
  private final LifetimeRows rows;

  private final HeapGraph heap = new HeapGraph();
  private final ByteClock clock = new ByteClock();

  private final LoggedNumbers numbers = new LoggedNumbers();

  private LifetimeFile file;
  private int made; // type of the object that was made last

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
    try (LifetimeFile opened = new LifetimeFile(path);
        rows) {
      if (opened.isIncomplete()) {
        throw new RecordingDamaged(
            "lifetimes: more objects or threads than can be followed, or no space left; record"
                + " without --probes lifetimes");
      }
      file = opened;
      long records = file.readLog(this::follow);
      end();
      rows.write();
      writeLog(records);
    } catch (UncheckedIOException e) { // of rows that are on the disk
      throw e.getCause();
    }
  }

  private void writeLog(long count) throws IOException {
    Int64Column objects = new Int64Column("n_objects");
    Int64Column records = new Int64Column("n_records");
    Int64Column log = new Int64Column("log_bytes");
    Int64Column disk = new Int64Column("disk_bytes");
    Table table = new Table(recording.out(), "lifetime_log", objects, records, log, disk);
    objects.add(file.clock());
    records.add(count);
    log.add(file.logBytes());
    disk.add(file.diskBytes());
    table.endRow();
    table.finish();
  }

  // ---- sizes

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
    if (kind != LENGTH && heap.isFull()) { // the object made last has its size now
      collect(numbers.whole() - 1); // at the last number itself, frames may still refer to more
    }
    switch (kind) {
      case MADE -> {
        clock.put(third, madeBytes(context, lower, fourth));
        make(context, third, lower, -1);
      }
      case MADE_OTHERWISE -> {
        made = recording.classes().type(fourth);
        clock.put(third, Math.max(0, instanceBytes(made)));
        make(context, third, lower - 1, made);
      }
      case FOUND -> find(third, recording.classes().type(fourth));
      case STORED -> store(context, lower, third, fourth);
      case STATIC -> storeStatic(context, third, fourth);
      case CLONED -> copy(third, fourth);
      case LENGTH -> {
        if (lower == NOBODY) {
          numbers.add(third);
        } else {
          clock.put(third, arrayBytes(made, fourth));
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
    numbers.add(number);
  }

  private void find(int number, int type) {
    heap.add(new HeapObject(number, 0, -1, type, true));
    rows.found(type);
    numbers.add(number);
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

  /**
   * Something in the heap does not refer to an object any more. Where a root lets go of it without
   * an allocation between, the root is taken to be the later one: whoever takes an object out of
   * the heap has it in a variable afterwards.
   */
  private void release(int context, int number) {
    HeapObject object = heap.get(number);
    if (object == null) {
      return;
    }
    int now = numbers.highest();
    long last = object.stamp >>> 32;
    if (last < now || last == now && object.isReleased) {
      object.stamp = (long) now << 32 | context & 0xFFFF_FFFFL;
      object.isReleased = true;
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

  /** Takes out what had died when a number was given. */
  private void collect(int upTo) {
    clock.settle(upTo);
    heap.collect(upTo, this::died);
    heap.forEach(
        (object, stamp) -> {
          if (object.number <= upTo) {
            remember(object);
          }
        });
    clock.advance();
  }

  private void died(HeapObject object, long stamp) {
    remember(object);
    rows.died(object, clock.at((int) (stamp >>> 32)), (int) stamp);
  }

  /** The clock is about to forget when an object was allocated. */
  private void remember(HeapObject object) {
    if (object.born < 0) {
      object.born = clock.at(object.number);
      object.bytes = object.born - clock.at(object.number - 1);
    }
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
    collect(file.clock());
    heap.forEach((object, stamp) -> rows.stayed(object));
  }
}
