import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** References that are stored without a bytecode that stores. */
public class Atomics {
  static class Thing {
    volatile Thing next;
    static Thing common;

    Thing() {
      Watch.see(this);
    }
  }

  static final class ByHandle extends Thing {}
  static final class ByUpdater extends Thing {}
  static final class InArray extends Thing {}
  static final class InMap extends Thing {}
  static final class InList extends Thing {}
  static final class ByMethod extends Thing {}
  static final class ByField extends Thing {}

  static final VarHandle NEXT;
  static final VarHandle COMMON;
  static final VarHandle ELEMENTS = MethodHandles.arrayElementVarHandle(Thing[].class);
  static final AtomicReferenceFieldUpdater<Thing, Thing> UPDATER =
      AtomicReferenceFieldUpdater.newUpdater(Thing.class, Thing.class, "next");

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      NEXT = lookup.findVarHandle(Thing.class, "next", Thing.class);
      COMMON = lookup.findStaticVarHandle(Thing.class, "common", Thing.class);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  static void handles() {
    Thing thing = new Thing();
    NEXT.set(thing, (Thing) new ByHandle());
    Watch.tick();
    NEXT.setVolatile(thing, (Thing) new ByHandle());
    Watch.tick();
    NEXT.compareAndSet(thing, thing.next, (Thing) new ByHandle());
    Watch.tick();
    NEXT.getAndSet(thing, (Thing) null);
    COMMON.set((Thing) new ByHandle());
    Watch.tick();
    COMMON.setRelease((Thing) new ByHandle());
    Watch.tick();
    COMMON.getAndSet((Thing) null);
    Watch.tick();
    Thing[] array = new Thing[3];
    ELEMENTS.set(array, 1, (Thing) new ByHandle());
    ELEMENTS.setOpaque(array, 2, (Thing) new ByHandle());
    Watch.tick();
    ELEMENTS.compareAndExchange(array, 1, array[1], (Thing) null);
    ELEMENTS.weakCompareAndSetPlain(array, 0, array[2], (Thing) null);
    Watch.tick();
  }

  static void updaters() {
    Thing thing = new Thing();
    UPDATER.set(thing, new ByUpdater());
    Watch.tick();
    UPDATER.accumulateAndGet(thing, new ByUpdater(), (old, now) -> now);
    Watch.tick();
    UPDATER.lazySet(thing, null);
    Watch.tick();
    AtomicReference<Thing> atomic = new AtomicReference<>(new ByUpdater());
    atomic.updateAndGet(old -> new ByUpdater());
    Watch.tick();
    atomic.compareAndExchange(atomic.get(), null);
    Watch.tick();
    AtomicMarkableReference<Thing> marked = new AtomicMarkableReference<>(new ByUpdater(), false);
    Watch.tick();
    marked.set(null, true);
    Watch.tick();
  }

  static void arrays() {
    AtomicReferenceArray<Thing> array = new AtomicReferenceArray<>(3);
    for (int k = 0; k < 3; k++) {
      array.set(k, new InArray());
    }
    Watch.tick();
    array.getAndSet(0, new InArray());
    array.compareAndSet(1, array.get(1), null);
    Watch.tick();
    array.lazySet(2, null);
    Watch.tick();
  }

  static void collections() {
    ConcurrentHashMap<Object, Thing> map = new ConcurrentHashMap<>();
    for (int k = 0; k < 5; k++) {
      map.computeIfAbsent(k, key -> new InMap());
    }
    Watch.tick();
    map.compute(1, (key, old) -> null);
    map.merge(2, new InMap(), (old, now) -> now);
    Watch.tick();
    map.replaceAll((key, old) -> key.equals(3) ? new InMap() : old);
    Watch.tick();
    map.clear();
    Watch.tick();
    ConcurrentSkipListMap<Integer, Thing> sorted = new ConcurrentSkipListMap<>();
    for (int k = 0; k < 5; k++) {
      sorted.put(k, new InMap());
    }
    sorted.remove(2);
    sorted.pollFirstEntry();
    Watch.tick();
    sorted = null;
    CopyOnWriteArrayList<Thing> list = new CopyOnWriteArrayList<>();
    list.add(new InList());
    list.add(new InList());
    var iterator = list.iterator();
    list.remove(0);
    Watch.tick();
    iterator = null;
    Watch.tick();
  }

  static Thing made() {
    return new ByMethod();
  }

  static void invoked() throws Throwable {
    MethodHandle handle =
        MethodHandles.lookup()
            .findStatic(Atomics.class, "made", MethodType.methodType(Thing.class));
    Thing thing = (Thing) handle.invokeExact();
    Watch.tick();
    thing = (Thing) Atomics.class.getDeclaredMethod("made").invoke(null);
    Watch.tick();
    Thing.class.getDeclaredField("next").set(thing, ByField.class.getDeclaredConstructor().newInstance());
    Watch.tick();
    MethodHandles.lookup().findSetter(Thing.class, "next", Thing.class).invoke(thing, new ByField());
    Watch.tick();
    thing = null;
    Watch.tick();
  }

  public static void main(String[] args) throws Throwable {
    Watch.begin(args);
    handles();
    updaters();
    arrays();
    collections();
    invoked();
    Watch.end();
  }
}
