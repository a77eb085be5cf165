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
import io.jvmscope.classfile.AllocationSite.Kind;
import java.util.Map;
import java.util.TreeMap;

/**
 * Objects that no instruction of an instrumented method made: they are found by their constructors,
 * which no instruction called, but the VM, native code, or a method that is not instrumented. Types
 * are those of {@link ObjectTypes}.
 */
final class ConstructedObjects {
  private static final Kind[] KINDS = Kind.values();

  /** In the place of a type: the VM was killed before it logged the class, or calls are folded. */
  private static final int UNKNOWN = -1;

  /** Of a site: it calls the target of a method handle, which may be a constructor. */
  private static final int HANDLES = Methods.DYNAMIC | Methods.CONSTRUCTS;

  private final Recording recording;
  private final Arena arena;
  private final Methods methods;
  private final ObjectTypes types;
  private final int share;

  /**
   * Reads the trees of a recording.
   *
   * @param share of the probe that counts allocations
   */
  ConstructedObjects(Recording recording, int share) {
    this.recording = recording;
    this.share = share;
    arena = recording.arena();
    methods = recording.methods();
    types = recording.objects().types();
  }

  /** The objects by type whose constructors the VM or native code called from a node. */
  Map<Integer, Long> by(long node) {
    Map<Integer, Long> found = new TreeMap<>();
    for (int link = arena.child(node + Arena.slot(0)); link != 0; ) {
      long at = Arena.address(link);
      int type = constructedBy(at);
      long objects = type < 0 ? 0 : constructed(at);
      if (objects > 0) {
        found.merge(type, objects, Long::sum);
      }
      link = arena.next(at, 0);
    }
    return found;
  }

  /**
   * The objects by type that a method made which is not instrumented, and which a handle in a node
   * calls. The handle of a constructor calls one, too: that of the object that it has just
   * allocated.
   */
  Map<Integer, Long> behindHandle(long node, int method) {
    int layout = methods.layout(method);
    Map<Integer, Long> unclear = new TreeMap<>();
    if (!mayConstruct(layout)) {
      return unclear;
    }
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
        } else if (number == PROXY) {
          takeFolded(at, unclear);
        } else if (methods.isAllocator(number)) {
          takeAllocated(at, methods.layout(number), unclear);
        }
        link = arena.next(at, 0);
      }
    }
    takeInherited(unclear);
    unclear.values().removeIf(objects -> objects <= 0);
    return unclear;
  }

  /**
   * Takes off what constructors did for those of subclasses that are not instrumented, and for
   * objects whose class is not known.
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

  /**
   * Takes off the objects that the allocator of a handle made in calls that were folded: one in
   * each call. What it made is counted in the node that counts the calls, with others' objects, so
   * that the classes of these are not known.
   */
  private void takeFolded(long proxy, Map<Integer, Long> unclear) {
    if (methods.isAllocator(arena.getInt(proxy + PROXY_METHOD))) {
      unclear.merge(UNKNOWN, -arena.getLong(proxy + PROXY_CALLS), Long::sum);
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
    // Of calls that were folded into the node, some may be taken for those that continue an object.
    return Math.max(0L, calls - recording.objects().continued().in(at));
  }
}
