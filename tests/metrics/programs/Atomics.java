import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Atomic operations by each way that leads to Unsafe: five that fetch in work. Linking the calls of
 * a handle makes the class library compare and set, so those are not counted on.
 */
public final class Atomics {
  static int counter;
  volatile int field;

  public static void main(String[] args) throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    VarHandle handle = lookup.findStaticVarHandle(Atomics.class, "counter", int.class);
    Atomics self = new Atomics();
    self.work(
        handle,
        AtomicIntegerFieldUpdater.newUpdater(Atomics.class, "field"),
        new AtomicLong(),
        new AtomicReferenceArray<>(1));
  }

  void work(
      VarHandle handle,
      AtomicIntegerFieldUpdater<Atomics> updater,
      AtomicLong number,
      AtomicReferenceArray<String> array) {
    int old = (int) handle.getAndAdd(2); // Unsafe.getAndAddInt
    int other = (int) handle.getAndSet(7); // Unsafe.getAndSetInt
    updater.getAndIncrement(this); // Unsafe.getAndAddInt
    number.addAndGet(5); // Unsafe.getAndAddLong
    array.getAndSet(0, "x"); // Unsafe.getAndSetReference, by a handle of arrays
    number.get(); // a volatile load, no atomic operation
    number.lazySet(3); // a store with release, neither
  }
}
