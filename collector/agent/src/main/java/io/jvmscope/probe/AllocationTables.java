package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.ALLOCATED;
import static jdk.internal.perf.ArenaLayout.COUNTERS;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.TABLE;
import static jdk.internal.perf.ArenaLayout.TABLE_CAPACITY;
import static jdk.internal.perf.ArenaLayout.TABLE_LINKS;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.Methods;
import io.jvmscope.arena.ThreadRoot;
import io.jvmscope.classfile.AllocationSite.Kind;
import io.jvmscope.layout.HeapModel;
import io.jvmscope.layout.ObjectLayouts;
import io.jvmscope.probe.ObjectTypes.Type;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import io.jvmscope.tables.TextColumn;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes table {@code allocation}, and with {@link AllocatedTypes} what it refers to. What the VM
 * or native code made and had a constructor complete is found in the tree: a constructor that no
 * instruction called.
 */
final class AllocationTables implements ProbeTables {
  private static final Kind[] KINDS = Kind.values();

  /** Objects that are alike. */
  private record Like(Type type, long bytes) {}

  private final Arena arena;
  private final Methods methods;
  private final ObjectTypes types;
  private final ObjectLayouts layouts;
  private final Recording recording;
  private final int share;
  private final ConstructedObjects constructed;

  private final Int32Column context = new Int32Column("context_id");
  private final Int32Column instruction = new Int32Column("instruction_id");
  private final TextColumn typeName = new TextColumn("type");
  private final Int32Column classId = new Int32Column("class_id");
  private final Int64Column bytes = new Int64Column("size_bytes");
  private final Int64Column objects = new Int64Column("n_objects");
  private final Table table;

  private long unlogged; // objects of classes that are not known

  // what one instruction made in one context
  private final Map<Like, Long> made = new TreeMap<>(AllocationTables::compare);

  AllocationTables(Recording recording, Probe probe) throws IOException {
    this.recording = recording;
    arena = recording.arena();
    methods = recording.methods();
    types = recording.objects().types();
    layouts = recording.objects().layouts();
    share = recording.indexOf(probe);
    constructed = new ConstructedObjects(recording, share);
    table =
        new Table(
            recording.out(), "allocation", context, instruction, typeName, classId, bytes, objects);
  }

  /** In the order of the table, where what is not known comes last. */
  private static int compare(Like one, Like other) {
    int order = one.type().name().compareTo(other.type().name());
    if (order == 0) {
      order = Integer.compareUnsigned(one.type().classId(), other.type().classId());
    }
    return order == 0 ? Long.compareUnsigned(one.bytes(), other.bytes()) : order;
  }

  @Override
  public void open(ThreadRoot root, int contextId) throws IOException {
    addMade(constructed.by(root.address()));
    writeMade(contextId, -1);
  }

  @Override
  public void write(ContextNode node) throws IOException {
    int[] packed = methods.packed();
    int start = methods.share(methods.layout(node.method), share);
    int end = start + 1 + packed[start];
    for (int at = start + 1; at < end; at += Allocations.SITE_INTS) {
      addSite(node.address, packed, at);
      boolean isLast = at + Allocations.SITE_INTS == end;
      if (isLast || packed[at + Allocations.SITE_INTS] != packed[at]) {
        writeMade(node.id, packed[at]);
      }
    }
    addMade(constructed.by(node.address));
    addMade(constructed.behindHandle(node.address, node.method));
    writeMade(node.id, -1);
  }

  private void addSite(long node, int[] packed, int at) {
    Kind kind = KINDS[packed[at + 1]];
    int place = packed[at + 2];
    if (kind == Kind.INSTANCE) {
      addInstances(types.get(packed[at + 3]), arena.getLong(node + COUNTERS + 8L * place));
      return;
    }
    Type type = packed[at + 3] < 0 ? null : types.get(packed[at + 3]);
    long steps = 0;
    for (int link = arena.child(node + Arena.slot(place)); link != 0; ) {
      long entry = Arena.address(link);
      if (arena.getInt(entry + METHOD) == TABLE) {
        addTable(entry, type);
      } else {
        addEntry(entry, type);
      }
      link = arena.next(entry, ++steps);
    }
  }

  private void addTable(long entries, Type type) {
    int capacity = arena.getInt(entries + TABLE_CAPACITY);
    for (int k = 0; k < capacity; k++) {
      int link = arena.getInt(entries + TABLE_LINKS + 4L * k);
      if (link != 0) {
        addEntry(Arena.address(link), type);
      }
    }
  }

  /** Adds what is counted by length, if the type is known, or by class. */
  private void addEntry(long entry, Type type) {
    int key = arena.getInt(entry + METHOD);
    if (type != null) {
      addArrays(type, key - 1, arena.getLong(entry + ALLOCATED));
      return;
    }
    int number = recording.classes().type(key);
    if (number < 0) { // a VM that was killed may not have logged the class
      unlogged += objectsBelow(entry);
      return;
    }
    Type found = types.get(number);
    addInstances(found, arena.getLong(entry + ALLOCATED));
    long steps = 0;
    for (int link = arena.child(entry + Arena.slot(0)); link != 0; ) {
      long length = Arena.address(link);
      if (arena.getInt(length + METHOD) == TABLE) {
        addTable(length, found);
      } else {
        addEntry(length, found);
      }
      link = arena.next(length, ++steps);
    }
  }

  /** The objects of a class, or of arrays by length. */
  private long objectsBelow(long entry) {
    long count = arena.getLong(entry + ALLOCATED);
    long steps = 0;
    for (int link = arena.child(entry + Arena.slot(0)); link != 0; ) {
      long at = Arena.address(link);
      if (arena.getInt(at + METHOD) != TABLE) {
        count += arena.getLong(at + ALLOCATED);
      } else {
        int capacity = arena.getInt(at + TABLE_CAPACITY);
        for (int k = 0; k < capacity; k++) {
          int held = arena.getInt(at + TABLE_LINKS + 4L * k);
          count += held == 0 ? 0 : arena.getLong(Arena.address(held) + ALLOCATED);
        }
      }
      link = arena.next(at, ++steps);
    }
    return count;
  }

  private void addInstances(Type type, long count) {
    if (count != 0) {
      made.merge(new Like(type, layouts.instanceBytes(type.classId())), count, Long::sum);
    }
  }

  private void addArrays(Type type, int units, long count) {
    HeapModel heap = layouts.heap();
    long size = heap == null ? -1 : heap.arrayBytes(type.name().charAt(1), units);
    made.merge(new Like(type, size), count, Long::sum);
  }

  private void addMade(Map<Integer, Long> objects) {
    for (Map.Entry<Integer, Long> entry : objects.entrySet()) {
      addInstances(types.get(entry.getKey()), entry.getValue());
    }
  }

  private void writeMade(int contextId, int instructionId) throws IOException {
    if (made.isEmpty()) {
      return;
    }
    for (Map.Entry<Like, Long> row : made.entrySet()) {
      Type type = row.getKey().type();
      context.add(contextId);
      instruction.addId(instructionId);
      typeName.add(type.name());
      classId.addId(type.classId());
      bytes.addOrNull(row.getKey().bytes());
      objects.add(row.getValue());
      table.endRow();
    }
    made.clear();
  }

  @Override
  public void finish() throws IOException {
    recording.unlogged().note("allocation", unlogged);
    table.finish();
    UnseenAllocations.write(recording);
  }
}
