import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * Locks objects, and asks them for hash codes, in every way that leads there.
 *
 * <p>Each way has a class of its own, and what it does is beside it. The last lines of each part are
 * what is not seen, where the library of native code is given.
 */
public class UseWays {
  static final int TIMES = 20; // JDK 17 goes another way from the 16th call by reflection on

  // ---- locks: entries by blocks and methods, waits, notifications, depth

  static class Held {
    synchronized int method() {
      return 1;
    }
  }

  static class ByReflection extends Held {} // 20 methods

  static class ByHandle extends Held {} // 3 methods

  static class ByReference extends Held {} // 2 methods

  static class BySuper extends Held { // 1 method and 1 more, to depth 2
    @Override
    synchronized int method() {
      return super.method() + 1;
    }
  }

  static class ByBridge implements Supplier<String> { // 1 method: the bridge is not synchronized
    @Override
    public synchronized String get() {
      return "got";
    }
  }

  static class InConstructor { // 1 block and 1 method, to depth 2
    InConstructor() {
      synchronized (this) {
        enter();
      }
    }

    synchronized void enter() {}
  }

  static class InClosure {} // 1 block

  static class InInitialiser { // 1 block
    static final InInitialiser ONE = new InInitialiser();

    static {
      synchronized (ONE) {
        ONE.notify(); // 1 notification
      }
    }
  }

  static class Deserialised implements Serializable { // 1 block; 1 identity: ObjectOutputStream
    private static final long serialVersionUID = 1L;
  }

  static class Unmade {} // 1 block, of an object without a constructor

  record Recorded(int x) {} // 1 block

  enum Constant {
    ONE // 1 block
  }

  static class Failure extends RuntimeException { // 2 methods, of Throwable, at depth 1
    private static final long serialVersionUID = 1L;
  }

  static class Runner extends Thread { // 1 block, beside those of Thread itself
    @Override
    public void run() {}
  }

  static class NotifiedByReference {} // 1 block, 1 notification

  static class NotifiedByHandle {} // 1 block; what a method handle calls is not seen

  static class NotifiedByReflection {} // 1 block; likewise

  static class Interrupted {} // 1 block, 1 wait that ends by an exception

  static class Shut { // 2 methods that return in different places and by an exception: 3 entries
    synchronized int method(int way) {
      if (way == 0) {
        return 0;
      }
      if (way == 1) {
        return 10 / way;
      }
      return 10 / (way - 2);
    }
  }

  static class ByNative { // not seen
    synchronized native void method();
  }

  static class EnteredByNative {} // not seen

  static native void enter(Object object);

  // ---- hash codes

  static class Plain {}

  static class Own {
    @Override
    public int hashCode() {
      return 7;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Own;
    }
  }

  interface Any {}

  interface Declaring {
    @Override
    int hashCode();
  }

  abstract static class Abstract {
    @Override
    public abstract int hashCode();
  }

  static class OwnByReflection extends Own {} // 20 overridden

  static class OwnByHandle extends Own {} // 3 overridden

  static class OwnByReference extends Own {} // 2 overridden

  static class PlainByReference {} // 2 default

  static class IdentityByReference {} // 2 identity

  static class ByInterface implements Any {} // 1 default

  static class OwnByInterface extends Own implements Any {} // 1 overridden

  static class ByDeclaring implements Declaring {} // 1 default

  static class OwnByDeclaring extends Own implements Declaring {} // 1 overridden

  static class OfAbstract extends Abstract { // 1 overridden
    @Override
    public int hashCode() {
      return 3;
    }
  }

  static class ByToString {} // 3 default: toString, String.valueOf, concatenation

  static class InSet {} // 2 default: HashSet.add, contains

  static class InConcurrentMap {} // 2 default

  static class InWeakMap extends Own {} // 2 overridden

  static class InImmutableSet extends Own {} // 2 overridden: a set that has one, and asking it

  static class InArray extends Own {} // 3 overridden

  static class InList extends Own {} // 2 overridden

  record Of(OwnInRecord one) {} // 1 overridden, of each

  static class OwnInRecord extends Own {}

  static class Throwing { // 2 overridden, which throw
    @Override
    public int hashCode() {
      throw new IllegalStateException();
    }
  }

  static class SuperThrows extends Throwing { // 2 overridden: its body, and the one that throws
    @Override
    public int hashCode() {
      try {
        return super.hashCode();
      } catch (IllegalStateException e) {
        return 1;
      }
    }
  }

  static class AfterThrown { // 1 overridden and 1 default: the failure before it leaves no mark
    @Override
    public int hashCode() {
      return super.hashCode();
    }
  }

  static class BySuperReference { // 1 overridden and 1 default
    @Override
    public int hashCode() {
      Supplier<Integer> above = super::hashCode;
      return above.get();
    }
  }

  static class AsksAnother { // 1 overridden; Asked: 1 overridden, AskedPlain: 1 default
    final Asked asked = new Asked();
    final AskedPlain plain = new AskedPlain();

    @Override
    public int hashCode() {
      return asked.hashCode() + plain.hashCode();
    }
  }

  static class Asked extends Own {}

  static class AskedPlain {}

  static class PlainByReflection {} // not seen, but where JDK 17 makes bytecode: 12 default

  static class PlainByHandle {} // not seen

  static class IdentityByHandle {} // not seen

  static class OwnByNative extends Own {} // 1 overridden

  static class PlainByNative {} // not seen

  static class IdentityByNative {} // not seen

  static native int hash(Object object);

  static native int identityHash(Object object);

  // ---- what main does

  static void invokeSynchronized() throws Throwable {
    Method reflected = Held.class.getDeclaredMethod("method");
    Held byReflection = new ByReflection();
    for (int k = 0; k < TIMES; k++) {
      reflected.invoke(byReflection);
    }
    MethodHandle handle =
        MethodHandles.lookup().findVirtual(Held.class, "method", MethodType.methodType(int.class));
    Held byHandle = new ByHandle();
    int sum = (int) handle.invokeExact(byHandle) + (int) handle.bindTo(byHandle).invoke();
    sum += (Integer) handle.invokeWithArguments(byHandle);
    ByReference byReference = new ByReference();
    Supplier<Integer> supplier = byReference::method;
    ToIntFunction<Held> function = Held::method;
    sum += supplier.get() + function.applyAsInt(byReference) + new BySuper().method();
    Supplier<String> bridged = new ByBridge();
    System.out.println(sum + bridged.get());
  }

  static void enterBlocks() throws Exception {
    new InConstructor().hashCode();
    InClosure inClosure = new InClosure();
    Runnable lambda =
        () -> {
          synchronized (inClosure) {
            Thread.yield();
          }
        };
    lambda.run();
    Object initialised = InInitialiser.ONE;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new Deserialised());
    }
    var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
    field.setAccessible(true);
    Object unmade = ((sun.misc.Unsafe) field.get(null)).allocateInstance(Unmade.class);
    Object[] locked = {in.readObject(), unmade, new Recorded(1), Constant.ONE};
    for (Object object : locked) {
      synchronized (object) {
        Thread.yield();
      }
    }
    new Failure().addSuppressed(new IllegalStateException());
    Runner runner = new Runner();
    synchronized (runner) {
      Thread.yield();
    }
    Shut shut = new Shut();
    for (int way = 0; way < 3; way++) {
      try {
        shut.method(way);
      } catch (ArithmeticException e) {
        initialised = e;
      }
    }
  }

  static void notifyThem() throws Throwable {
    Object referenced = new NotifiedByReference();
    Runnable reference = referenced::notifyAll;
    Object handled = new NotifiedByHandle();
    MethodHandle handle =
        MethodHandles.lookup()
            .findVirtual(Object.class, "notify", MethodType.methodType(void.class));
    Object reflected = new NotifiedByReflection();
    synchronized (referenced) {
      reference.run();
    }
    synchronized (handled) {
      handle.invokeExact(handled);
    }
    synchronized (reflected) {
      Object.class.getMethod("notify").invoke(reflected);
    }
    Object waited = new Interrupted();
    Thread.currentThread().interrupt();
    try {
      synchronized (waited) {
        waited.wait();
      }
    } catch (InterruptedException e) {
      // as expected
    }
  }

  static int hashByCalls(Any any, Any ownAny, Declaring declaring, Declaring ownDeclaring) {
    return any.hashCode() + ownAny.hashCode() + declaring.hashCode() + ownDeclaring.hashCode();
  }

  static int hashByOthers() throws Throwable {
    Method hashCode = Object.class.getMethod("hashCode");
    Object own = new OwnByReflection();
    Object plain = new PlainByReflection();
    int sum = 0;
    for (int k = 0; k < TIMES; k++) {
      sum += (Integer) hashCode.invoke(own) + (Integer) hashCode.invoke(plain);
    }
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    MethodType type = MethodType.methodType(int.class);
    MethodHandle handle = lookup.findVirtual(Object.class, "hashCode", type);
    Object ownByHandle = new OwnByHandle();
    for (int k = 0; k < 3; k++) {
      sum += (int) handle.invokeExact(ownByHandle);
    }
    sum += (int) handle.invokeExact((Object) new PlainByHandle());
    MethodHandle identity =
        lookup.findStatic(
            System.class, "identityHashCode", type.appendParameterTypes(Object.class));
    sum += (int) identity.invokeExact((Object) new IdentityByHandle());
    ToIntFunction<Object> any = Object::hashCode;
    ToIntFunction<Object> identityOf = System::identityHashCode;
    Object ownByReference = new OwnByReference();
    Object plainByReference = new PlainByReference();
    Object identified = new IdentityByReference();
    for (int k = 0; k < 2; k++) {
      sum += any.applyAsInt(ownByReference) + any.applyAsInt(plainByReference);
      sum += identityOf.applyAsInt(identified);
    }
    return sum;
  }

  static int hashByLibraries() {
    Object shown = new ByToString();
    String text = shown.toString() + String.valueOf(shown) + shown;
    Object inSet = new InSet();
    Set<Object> set = new HashSet<>();
    set.add(inSet);
    boolean all = set.contains(inSet);
    Object inMap = new InConcurrentMap();
    var concurrent = new ConcurrentHashMap<Object, Integer>();
    concurrent.put(inMap, 1);
    int sum = concurrent.get(inMap);
    Object inWeakMap = new InWeakMap();
    var weak = new WeakHashMap<Object, Integer>();
    weak.put(inWeakMap, 1);
    sum += weak.get(inWeakMap);
    Object inImmutable = new InImmutableSet();
    all &= Set.of(inImmutable, "b", "c").contains(inImmutable);
    Object inArray = new InArray();
    sum += Arrays.hashCode(new Object[] {inArray, null, inArray, inArray});
    Object inList = new InList();
    sum += List.of(inList, inList).hashCode() + new Of(new OwnInRecord()).hashCode();
    return sum + (all ? text.length() : 0) + new TreeSet<Object>().hashCode();
  }

  static int hashThroughFailures() {
    int sum = 0;
    Object throwing = new Throwing();
    for (int k = 0; k < 2; k++) {
      try {
        sum += throwing.hashCode();
      } catch (IllegalStateException e) {
        sum++;
      }
    }
    sum += new SuperThrows().hashCode() + new AfterThrown().hashCode();
    return sum + new BySuperReference().hashCode() + new AsksAnother().hashCode();
  }

  static int hashProxy() { // goes to the handler, which is no body of the class
    Any proxy =
        (Any)
            Proxy.newProxyInstance(
                UseWays.class.getClassLoader(),
                new Class<?>[] {Any.class},
                (self, method, arguments) -> 9);
    return proxy.hashCode();
  }

  static void useNatively() {
    new ByNative().method();
    enter(new EnteredByNative());
    hash(new OwnByNative());
    hash(new PlainByNative());
    identityHash(new IdentityByNative());
  }

  public static void main(String[] args) throws Throwable {
    invokeSynchronized();
    enterBlocks();
    notifyThem();
    hashByCalls(new ByInterface(), new OwnByInterface(), new ByDeclaring(), new OwnByDeclaring());
    new OfAbstract().hashCode();
    hashByOthers();
    hashByLibraries();
    hashThroughFailures();
    System.out.println(hashProxy());
    if (args.length > 0) {
      System.load(args[0]);
      useNatively();
    }
  }
}
