package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.ALLOCATED;
import static jdk.internal.perf.ArenaLayout.COUNTERS;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.PROXY;
import static jdk.internal.perf.ArenaLayout.PROXY_CALLS;
import static jdk.internal.perf.ArenaLayout.PROXY_METHOD;
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

  /** In the place of a type: the VM was killed before it logged the class. */
  private static final int UNKNOWN = -1;

  /** Of a site: it calls the target of a method handle, which may be a constructor. */
  private static final int HANDLES = Methods.DYNAMIC | Methods.CONSTRUCTS;

  /** Objects that are alike. */
  private record Like(Type type, long bytes) {}

  private final Arena arena;
  private final Methods methods;
  private final ObjectTypes types;
  private final ObjectLayouts layouts;
  private final Recording recording;
  private final int share;

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
    addConstructed(root.address());
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
    addConstructed(node.address);
    addBehindHandle(node.address, node.method);
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

  /** Adds the objects whose constructors the VM or native code called from a node. */
  private void addConstructed(long node) {
    for (int link = arena.child(node + Arena.slot(0)); link != 0; ) {
      long at = Arena.address(link);
      int type = constructedBy(at);
      if (type >= 0) {
        addInstances(types.get(type), constructed(at));
      }
      link = arena.next(at, 0);
    }
  }

  /**
   * Adds the objects that a method made which is not instrumented, and which a method handle calls.
   * The handle of a constructor calls one, too: that of the object that it has just allocated.
   */
  private void addBehindHandle(long node, int method) {
    int layout = methods.layout(method);
    if (!mayConstruct(layout)) {
      return;
    }
    Map<Integer, Long> unclear = new TreeMap<>(); // objects by type
    int[] packed = methods.packed();
    int end = methods.sitesEnd(layout);
    for (int site = methods.sitesStart(layout); site < end; site += Methods.SITE_INTS) {
      for (int link = packed[site] < 0 ? 0 : arena.child(node + Arena.slot(packed[site]));
          link != 0; ) {
        long at = Arena.address(link);
        int number = arena.getInt(at + METHOD);
        int type = (packed[site + 3] & HANDLES) == HANDLES ? constructedBy(at) : -1;
        if (type >= 0) {
          unclear.merge(type, constructed(at), Long::sum);
        } else if (number != PROXY && methods.isAllocator(number)) {
          takeAllocated(at, methods.layout(number), unclear);
        }
        link = arena.next(at, 0);
      }
    }
    takeInherited(unclear);
    for (Map.Entry<Integer, Long> entry : unclear.entrySet()) {
      if (entry.getValue() > 0) {
        addInstances(types.get(entry.getKey()), entry.getValue());
      }
    }
  }

  /**
   * Takes off what constructors did for those of subclasses that are not instrumented, and for
   * objects whose class was not logged.
   */
  private void takeInherited(Map<Integer, Long> unclear) {
    long unknown = unclear.getOrDefault(UNKNOWN, 0L);
    unclear.remove(UNKNOWN);
    for (Map.Entry<Integer, Long> constructed : unclear.entrySet()) {
      long taken = Math.min(-unknown, Math.max(0L, constructed.getValue()));
      constructed.setValue(constructed.getValue() - taken);
      unknown += taken;
    }
    for (Map.Entry<Integer, Long> allocated : unclear.entrySet()) {
      int above = types.get(allocated.getKey()).classId();
      while (allocated.getValue() < 0 && above >= 0) {
        int type = recording.classes().typeOfClass(above);
        long constructed = unclear.getOrDefault(type, 0L);
        if (constructed > 0) { // it called no other but through a node of its own
          unclear.put(type, Math.max(0L, constructed + allocated.getValue()));
          break;
        }
        above = recording.fields().superclass(above);
      }
    }
  }

  private boolean mayConstruct(int layout) {
    int[] packed = methods.packed();
    int end = methods.sitesEnd(layout);
    for (int site = methods.sitesStart(layout); site < end; site += Methods.SITE_INTS) {
      if (packed[site] >= 0 && (packed[site + 3] & HANDLES) == HANDLES) {
        return true;
      }
    }
    return false;
  }

  /** Takes off the objects that the allocator of a handle made, in a node of its own. */
  private void takeAllocated(long node, int layout, Map<Integer, Long> unclear) {
    int[] packed = methods.packed();
    int start = methods.share(layout, share);
    int end = start + 1 + packed[start];
    for (int at = start + 1; at < end; at += Allocations.SITE_INTS) {
      boolean isNative = KINDS[packed[at + 1]] == Kind.NATIVE;
      int head = isNative ? arena.child(node + Arena.slot(packed[at + 2])) : 0;
      for (int link = head; link != 0; ) {
        long entry = Arena.address(link);
        if (arena.getInt(entry + METHOD) == TABLE) {
          int capacity = arena.getInt(entry + TABLE_CAPACITY);
          for (int k = 0; k < capacity; k++) {
            takeAllocated(arena.getInt(entry + TABLE_LINKS + 4L * k), unclear);
          }
        } else {
          takeAllocated(link, unclear);
        }
        link = arena.next(entry, 0);
      }
    }
  }

  private void takeAllocated(int link, Map<Integer, Long> unclear) {
    if (link != 0) {
      long entry = Arena.address(link);
      int type = recording.classes().type(arena.getInt(entry + METHOD));
      unclear.merge(type, -arena.getLong(entry + ALLOCATED), Long::sum);
    }
  }

  /** The type of the objects that a node or proxy constructs; -1 if it is of no constructor. */
  private int constructedBy(long at) {
    int number = arena.getInt(at + METHOD);
    int method = number == PROXY ? arena.getInt(at + PROXY_METHOD) : number;
    if (!methods.isConstructor(method)) {
      return -1;
    }
    int owner = methods.owner(method);
    // The constructor of an abstract class was called by one that is not instrumented.
    return recording.fields().isAbstract(owner) ? -1 : recording.classes().typeOfClass(owner);
  }

  /** How many. */
  private long constructed(long at) {
    boolean isProxy = arena.getInt(at + METHOD) == PROXY;
    long calls = arena.getLong(at + (isProxy ? PROXY_CALLS : COUNTERS));
    return calls - recording.objects().continued().in(at);
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
