import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** Accesses of fields by other means than bytecode. Each is of a new object of a class of its own. */
public class Handles {
  interface Access<T> { void to(T object) throws Throwable; }

  // ---- the first access of each field: r reads it, w writes it, u reads and then writes it

  static class Reflected { int r; int w; Object a; double d; static int s; }
  static class ByMethodHandle { int r; int w; Object a; long j; boolean z; }
  static class ByVarHandle {
    int r, w, opaque, acquired, set, refused, exchanged, kept, weak, added, or;
    byte b; short h; char c; boolean z; float f; long j; double d; Object a;
  }
  static class ByUpdater { volatile int i, n; volatile long j; volatile Object a; }
  static class ByUnsafe { int r, w, set, refused; long j; Object a; byte b; }
  static class Kept implements Serializable {
    private static final long serialVersionUID = 1L;
    int i = 1; Object a = "a"; transient int t = 2;
  }
  record Sent(int number, String text) implements Serializable { }
  static class Unmade { int r = 1; int w = 2; } // by a constructor of Object
  static class Begun { int b; Begun() { b = 3; } }
  static class HalfMade extends Begun { int d = 4; } // by that of its superclass
  static class InConstructor { // a write by the object's own constructor leaves it immutable
    int own; int late;
    static final VarHandle OWN = handle(InConstructor.class, "own", int.class);
    static final VarHandle LATE = handle(InConstructor.class, "late", int.class);
    InConstructor() { OWN.setRelease(this, 1); }
  }
  static class Above { int x; int y; }
  static final class Below extends Above { }
  static class Shared { volatile int x; }

  static VarHandle handle(Class<?> type, String name, Class<?> of) {
    try {
      return MethodHandles.lookup().findVarHandle(type, name, of);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  static Field field(Class<?> type, String name) throws Exception {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  static void reflection() throws Exception {
    for (int i = 0; i < 20; i++) { // JDK 17 goes another way from the 16th call on
      Reflected o = new Reflected();
      field(Reflected.class, "r").getInt(o);
      field(Reflected.class, "w").set(o, 1);
      field(Reflected.class, "a").get(o);
      field(Reflected.class, "d").setDouble(o, 1);
      field(Reflected.class, "s").setInt(null, 1);
    }
  }

  static void methodHandles() throws Throwable {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    ByMethodHandle o = new ByMethodHandle();
    int r = (int) lookup.findGetter(ByMethodHandle.class, "r", int.class).invokeExact(o);
    lookup.findSetter(ByMethodHandle.class, "w", int.class).invokeExact(o, 1);
    Object a = lookup.findGetter(ByMethodHandle.class, "a", Object.class).invoke(o);
    MethodHandle j = lookup.unreflectSetter(ByMethodHandle.class.getDeclaredField("j"));
    j.bindTo(o).invokeWithArguments(3L);
    lookup.findSetter(ByMethodHandle.class, "z", boolean.class).invoke(o, true);
  }

  static void varHandles() {
    Class<ByVarHandle> type = ByVarHandle.class;
    ByVarHandle o = new ByVarHandle();
    int sum = (int) handle(type, "r", int.class).get(o);
    handle(type, "w", int.class).set(o, 1);
    sum += (int) handle(type, "opaque", int.class).getOpaque(o);
    sum += (int) handle(type, "acquired", int.class).getAcquire(o);
    handle(type, "set", int.class).compareAndSet(o, 0, 1);
    handle(type, "refused", int.class).compareAndSet(o, 5, 1);
    sum += (int) handle(type, "exchanged", int.class).compareAndExchange(o, 0, 1);
    sum += (int) handle(type, "kept", int.class).compareAndExchange(o, 5, 1);
    while (!handle(type, "weak", int.class).weakCompareAndSetPlain(o, 0, 1)) { }
    sum += (int) handle(type, "added", int.class).getAndAdd(o, 1);
    sum += (int) handle(type, "or", int.class).getAndBitwiseOr(o, 1);
    sum += (byte) handle(type, "b", byte.class).getAndAdd(o, (byte) 1);
    handle(type, "h", short.class).setVolatile(o, (short) 1);
    handle(type, "c", char.class).compareAndSet(o, 'x', 'y'); // refused
    boolean was = (boolean) handle(type, "z", boolean.class).compareAndExchange(o, false, true);
    float f = (float) handle(type, "f", float.class).compareAndExchange(o, 0f, 1f);
    long j = (long) handle(type, "j", long.class).compareAndExchange(o, 0L, 1L);
    double d = (double) handle(type, "d", double.class).compareAndExchange(o, -0.0, 1.0); // refused
    Object a = handle(type, "a", Object.class).compareAndExchange(o, null, "a");
    System.out.println(sum + " " + was + f + j + d + a);
  }

  static void updaters() {
    ByUpdater o = new ByUpdater();
    AtomicIntegerFieldUpdater.newUpdater(ByUpdater.class, "i").incrementAndGet(o);
    AtomicIntegerFieldUpdater.newUpdater(ByUpdater.class, "n").compareAndSet(o, 3, 4); // refused
    AtomicLongFieldUpdater.newUpdater(ByUpdater.class, "j").lazySet(o, 1);
    AtomicReferenceFieldUpdater.newUpdater(ByUpdater.class, Object.class, "a").getAndSet(o, "a");
  }

  @SuppressWarnings({"deprecation", "removal"})
  static void unsafe() throws Exception {
    Field held = field(sun.misc.Unsafe.class, "theUnsafe");
    sun.misc.Unsafe unsafe = (sun.misc.Unsafe) held.get(null);
    ByUnsafe o = (ByUnsafe) unsafe.allocateInstance(ByUnsafe.class);
    long r = unsafe.objectFieldOffset(ByUnsafe.class.getDeclaredField("r"));
    int sum = unsafe.getInt(o, r);
    unsafe.putInt(o, unsafe.objectFieldOffset(ByUnsafe.class.getDeclaredField("w")), 1);
    long set = unsafe.objectFieldOffset(ByUnsafe.class.getDeclaredField("set"));
    unsafe.compareAndSwapInt(o, set, 0, 1);
    long refused = unsafe.objectFieldOffset(ByUnsafe.class.getDeclaredField("refused"));
    unsafe.compareAndSwapInt(o, refused, 7, 1);
    unsafe.getAndAddLong(o, unsafe.objectFieldOffset(ByUnsafe.class.getDeclaredField("j")), 2);
    unsafe.putOrderedObject(o, unsafe.objectFieldOffset(ByUnsafe.class.getDeclaredField("a")), "a");
    sum += unsafe.getByteVolatile(o, unsafe.objectFieldOffset(ByUnsafe.class.getDeclaredField("b")));
    int[] elements = {1, 2, 3};
    unsafe.putInt(elements, sun.misc.Unsafe.ARRAY_INT_BASE_OFFSET + 4L, 5);
    long memory = unsafe.allocateMemory(8);
    unsafe.putLong(null, memory, 7);
    System.out.println(sum + " " + elements[1] + " " + unsafe.getLong(memory));
    unsafe.freeMemory(memory);
  }

  static void serialisation() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new Kept());
      out.writeObject(new Sent(1, "a"));
    }
    ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    in.readObject();
    in.readObject();
  }

  static void constructorsOfOthers() throws Exception { // as libraries for serialisation do
    var factory = sun.reflect.ReflectionFactory.getReflectionFactory();
    var unmade =
        factory.newConstructorForSerialization(Unmade.class, Object.class.getConstructor());
    var half =
        factory.newConstructorForSerialization(
            HalfMade.class, Begun.class.getDeclaredConstructor());
    int sum = 0;
    for (int i = 0; i < 20; i++) {
      Unmade object = (Unmade) unmade.newInstance();
      sum += object.r;
      object.w = 1;
      HalfMade other = (HalfMade) half.newInstance();
      sum += other.b;
      other.d = 1;
    }
    if (sum != 60) {
      throw new AssertionError(sum);
    }
  }

  static void inherited() {
    Below below = new Below();
    int r = (int) handle(Above.class, "x", int.class).get(below);
    handle(Below.class, "y", int.class).set(below, 1);
    InConstructor constructed = new InConstructor();
    InConstructor.LATE.set(constructed, 1);
  }

  static byte[] fileOf(String name) throws IOException {
    try (var in = Handles.class.getResourceAsStream("Handles$" + name + ".class")) {
      return in.readAllBytes();
    }
  }

  static void hidden() throws Throwable { // a class that no name tells from others
    byte[] file = fileOf("Hidden");
    for (int i = 0; i < 2; i++) {
      access(MethodHandles.lookup().defineHiddenClass(file, true).lookupClass());
    }
  }

  static class Hidden { int r; int w; Hidden() { } }

  // ---- classes that a lookup defines; only this names them

  static class Defined { int r; int w; Defined() { } }

  static class Nesting { // while it is initialised, the VM refuses to define another class
    int r; int w;

    static {
      try {
        String file = new String(fileOf("Hidden"), ISO_8859_1);
        byte[] refused = file.replace("java/lang/Object", "java/lang/String").getBytes(ISO_8859_1);
        MethodHandles.lookup().defineHiddenClass(refused, true); // String is final
        throw new AssertionError();
      } catch (IncompatibleClassChangeError | VerifyError expected) {
        // now it goes on
      } catch (IOException | IllegalAccessException e) {
        throw new AssertionError(e);
      }
    }

    Nesting() { }
  }

  static void defined() throws Throwable {
    access(MethodHandles.lookup().defineClass(fileOf("Defined")));
    access(MethodHandles.lookup().defineHiddenClass(fileOf("Nesting"), true).lookupClass());
  }

  static int boxed() { // by native code, without a constructor
    int sum = 0;
    for (int i = 0; i < 5; i++) sum += (Integer) Array.get(new int[] {i}, 0);
    Integer[] boxes = {1000, 1001};
    return sum + (Integer) Array.get(boxes, 1);
  }

  static void access(Class<?> type) throws Throwable {
    Object object = type.getDeclaredConstructor().newInstance();
    field(type, "r").getInt(object);
    handle(type, "w", int.class).set(object, 1);
  }

  static void shared() throws InterruptedException {
    Shared shared = new Shared();
    VarHandle x = handle(Shared.class, "x", int.class);
    for (int i = 0; i < 3; i++) {
      Thread thread = new Thread(() -> x.getAndAdd(shared, 1));
      thread.start();
      thread.join();
    }
  }

  public static void main(String[] args) throws Throwable {
    reflection();
    methodHandles();
    varHandles();
    updaters();
    unsafe();
    serialisation();
    constructorsOfOthers();
    inherited();
    hidden();
    defined();
    boxed();
    shared();
  }
}
