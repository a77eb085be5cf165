import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Makes objects in every way there is, each in a method of its own. Each way is first tried, which
 * loads, links and fills caches, and then measured: writes its name and the bytes that the VM says
 * it allocated. A recording has them below {@code measured}.
 */
public final class Ways {
  static Object sink;
  static Object held = 7;

  static class Point implements Cloneable, Serializable {
    private static final long serialVersionUID = 1;
    int x;
    long y;
    Object z;

    Point() {}

    Point(int x) {
      this.x = x;
    }

    @Override
    public Point clone() throws CloneNotSupportedException {
      return (Point) super.clone();
    }

    int x() {
      return x;
    }
  }

  static final class Sub extends Point {
    private static final long serialVersionUID = 1;
    byte w;

    Sub() {
      super(3);
    }
  }

  static final class Plain implements Cloneable {
    short s;

    Object copy() throws CloneNotSupportedException {
      return clone();
    }
  }

  static class Base {
    final int b;

    Base() {
      b = 1;
    }
  }

  static final class Revived extends Base implements Serializable {
    private static final long serialVersionUID = 1;
    double d = 2;
  }

  static final class Failing {
    Failing(int depth) {
      if (depth == 0) {
        throw new IllegalStateException();
      }
      sink = new Failing(depth - 1);
    }
  }

  record Pair(int left, String right) implements Serializable {}

  enum Color {
    RED,
    GREEN
  }

  interface Way {
    void run() throws Throwable;
  }

  static void nothing() {}

  static void instances() {
    sink = new Object();
    sink = new Point();
    sink = new Sub();
    sink = new Pair(1, null);
    sink = new Object() {};
  }

  static void failedConstructors() {
    try {
      sink = new Failing(3);
    } catch (IllegalStateException e) {
      sink = e;
    }
  }

  static void arrays() {
    for (int length = 0; length < 20; length++) {
      sink = new boolean[length];
      sink = new byte[length];
      sink = new char[length];
      sink = new short[length];
      sink = new int[length];
      sink = new float[length];
      sink = new long[length];
      sink = new double[length];
      sink = new Object[length];
      sink = new Point[length];
      sink = new int[length][];
    }
    sink = new byte[100_000];
  }

  static void nestedArrays() {
    sink = new int[2][3];
    sink = new byte[2][3][5];
    sink = new long[2][3][];
    sink = new Point[4][0][7];
    sink = new char[0][5];
    sink = new Object[3][2];
    sink = new double[1][1][1][1];
  }

  static void failedArrays() {
    int negative = -1;
    try {
      sink = new int[negative];
    } catch (NegativeArraySizeException e) {
      sink = e;
    }
    try {
      sink = new int[3][negative];
    } catch (NegativeArraySizeException e) {
      sink = e;
    }
    try {
      sink = new Object[negative];
    } catch (NegativeArraySizeException e) {
      sink = e;
    }
  }

  static void clones() throws CloneNotSupportedException {
    sink = new int[] {1, 2, 3}.clone();
    sink = new byte[5][6].clone();
    sink = new String[3].clone();
    sink = new Point().clone();
    sink = new Sub().clone();
    sink = new Plain().copy();
    sink = Color.values();
    sink = new ArrayList<>(List.of(1, 2)).clone();
    sink = new HashMap<>(Map.of(1, 2)).clone();
  }

  static void reflectiveArrays() {
    sink = Array.newInstance(int.class, 5);
    sink = Array.newInstance(String.class, 5);
    sink = Array.newInstance(byte.class, 3, 4);
    sink = Array.newInstance(Point.class, 2, 0);
    sink = Arrays.copyOf(new Point[2], 3);
    sink = Arrays.copyOf(new byte[20], 7);
    sink = List.of("a", "b").toArray(new String[0]);
  }

  static void boxes() {
    sink = 1000;
    sink = 1000L;
    sink = 1.5;
    sink = 1.5f;
    sink = 'x';
    sink = 5;
    sink = (short) 999;
    Integer sum = 300;
    for (int i = 0; i < 10; i++) {
      sum += i;
    }
    sink = sum;
  }

  static void strings() {
    String text = "a" + held + 1 + 'c' + 2.5;
    sink = text + text;
    sink = new StringBuilder().append(text).append(77).reverse().toString();
    sink = text.substring(1);
    sink = text.toUpperCase();
    sink = text.toCharArray();
    sink = text.getBytes();
    sink = String.valueOf(123456);
    sink = text.split("c");
    sink = "\u20ac" + text;
    sink = text.repeat(3);
    sink = String.join(",", "a", "b");
  }

  static void format() {
    sink = String.format("%d %s %x", 42, "x", 255);
  }

  static void lambdas() {
    int k = held.hashCode();
    IntFunction<Object> make = n -> new Object[n + k];
    sink = make.apply(3);
    Supplier<Object> supply = Point::new;
    sink = supply.get();
    IntFunction<int[]> array = int[]::new;
    sink = array.apply(4);
    Runnable own = () -> sink = new byte[k];
    own.run();
  }

  static void collections() {
    Map<String, List<Integer>> map = new HashMap<>();
    for (int i = 0; i < 50; i++) {
      map.computeIfAbsent("k" + i % 7, key -> new ArrayList<>()).add(i * 100);
    }
    sink = new TreeMap<>(map);
    sink = IntStream.range(0, 30).boxed().collect(Collectors.groupingBy(n -> n % 3));
    sink = varargs(1, 2, 3);
    IdentityHashMap<Object, Object> identities = new IdentityHashMap<>();
    identities.put(map, map);
    sink = identities;
  }

  private static Object varargs(Object... all) {
    return Arrays.asList(all);
  }

  private static final Constructor<?> CONSTRUCTOR = constructor();
  private static final Method GETTER = method("x");

  private static Constructor<?> constructor() {
    try {
      return Point.class.getDeclaredConstructor(int.class);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Method method(String name) {
    try {
      return Point.class.getDeclaredMethod(name);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  static void reflection() throws ReflectiveOperationException {
    sink = CONSTRUCTOR.newInstance(5);
    sink = CONSTRUCTOR.newInstance(500);
  }

  static void reflectiveCalls() throws ReflectiveOperationException {
    Point point = new Point(1234);
    sink = GETTER.invoke(point);
  }

  static void reflectiveElements() {
    int[] numbers = {1000, 2000};
    sink = Array.get(numbers, 1);
    sink = Array.get(new Integer[] {3}, 0);
    sink = Array.get(new Object[] {numbers}, 0);
  }

  private static final MethodHandle MAKE = handle();
  private static final MethodHandle MAKE_ARRAY = MethodHandles.arrayConstructor(long[].class);
  private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(Integer[].class);

  private static MethodHandle handle() {
    try {
      return MethodHandles.lookup()
          .findConstructor(Point.class, MethodType.methodType(void.class, int.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  static void handles() throws Throwable {
    sink = (Point) MAKE.invokeExact(5);
    sink = MAKE.invoke(6);
    sink = (long[]) MAKE_ARRAY.invokeExact(9);
    Integer[] boxes = new Integer[2];
    ELEMENT.setVolatile(boxes, 1, (Integer) 700);
    sink = ELEMENT.compareAndSet(boxes, 1, boxes[1], (Integer) 800);
  }

  static void exceptions() {
    int[] three = new int[3];
    for (int i = 0; i < 2; i++) {
      try {
        three[held.hashCode()] = 1;
      } catch (ArrayIndexOutOfBoundsException e) {
        sink = e;
      }
      try {
        sink = 1 / (three[0] + 0);
      } catch (ArithmeticException e) {
        sink = e;
      }
      try {
        sink = ((Object[]) null)[0];
      } catch (NullPointerException e) {
        sink = e;
      }
      try {
        sink = (String) held;
      } catch (ClassCastException e) {
        sink = e.getClass();
      }
    }
  }

  static void serialization() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new Object[] {new Revived(), new Pair(1, "x"), new int[3], Color.RED});
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      sink = in.readObject();
    }
  }

  private static final sun.misc.Unsafe UNSAFE = unsafe();

  private static sun.misc.Unsafe unsafe() {
    try {
      Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (sun.misc.Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  static void unsafely() throws InstantiationException {
    sink = UNSAFE.allocateInstance(Sub.class);
    sink = UNSAFE.allocateInstance(Plain.class);
  }

  static void concatenations() {
    long big = held.hashCode() * 1_000_000_000L;
    boolean isOdd = held.hashCode() % 2 == 1;
    char[] characters = {'a', '\u20ac'};
    sink = big + "\u00e9" + isOdd + '\u20ac' + (float) big + null + held + (byte) 1 + (short) 2;
    sink = "" + big;
    sink = "x" + characters[1] + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11 + 12 + 13 + 14 + 15;
    String text = "";
    for (int i = 0; i < 5; i++) {
      text += i;
    }
    sink = new StringBuffer().append(characters).insert(0, big).toString();
    sink = """
        one %s
        two""".formatted(text);
    sink = text.chars().mapToObj(Integer::toString).toList();
  }

  /** The last value that each cache has, and the first that it lacks. */
  static void boxCaches() {
    int n = held.hashCode() - 7;
    sink = (Integer) (n + 127);
    sink = (Integer) (n + 128);
    sink = (Integer) (n - 128);
    sink = (Integer) (n - 129);
    sink = (Long) (n + 127L);
    sink = (Long) (n + 128L);
    sink = (Short) (short) (n + 127);
    sink = (Short) (short) (n + 128);
    sink = (Character) (char) (n + 127);
    sink = (Character) (char) (n + 128);
    sink = (Byte) (byte) (n - 128);
    sink = (Boolean) (n == 0);
    sink = (Double) (n + 0.0);
    sink = (Float) (n + 0.0f);
  }

  record Name(String first, String... more) {
    Name {
      more = more.clone();
    }

    Name(String first) {
      this(first, "x", "y");
    }
  }

  class Within {
    final Object outer = Ways.this;
  }

  private static final Constructor<?> CANONICAL = Name.class.getDeclaredConstructors()[0];

  static void records() throws ReflectiveOperationException {
    Name name = new Name("a");
    sink = new Name("b", name.more());
    sink = name.equals(sink);
    sink = new Pair(8, "y").toString();
    sink = new Pair(7, "z").hashCode();
    sink = new Ways().new Within();
    sink = Color.valueOf("RED");
    sink = new java.util.EnumMap<Color, Object>(Map.of(Color.GREEN, 1));
    sink = CANONICAL.getParameterCount();
    for (Color color : Color.values()) {
      switch (color) {
        case RED -> sink = new int[1];
        default -> sink = new int[2];
      }
    }
  }

  static void streams() {
    sink = IntStream.range(0, 9).toArray();
    sink = IntStream.range(0, 9).boxed().filter(n -> n % 2 == 0).toArray();
    sink = List.of("a", "b", "c").stream().map(String::length).toArray(Integer[]::new);
    sink = java.util.stream.Stream.iterate(1, n -> 2 * n).limit(10).sorted().toList();
    sink = Arrays.stream(new double[] {1, 2}).sum();
    sink = Arrays.copyOfRange(new long[9], 2, 5);
    sink = Arrays.copyOf(new Object[] {"a"}, 4, String[].class);
    sink = java.util.Collections.nCopies(3, "x").toArray();
    for (Object each : new ArrayList<>(List.of(1, 2))) {
      held.equals(each);
    }
  }

  private static final MethodHandle MADE =
      MethodHandles.insertArguments(MethodHandles.arrayConstructor(Object[].class), 0, 3);
  private static final MethodHandle COLLECTOR =
      MethodHandles.identity(Object[].class).asCollector(Object[].class, 3);
  private static final MethodHandle SPREADER = COLLECTOR.asSpreader(Object[].class, 3);
  private static final VarHandle BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, java.nio.ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  static void handlesOfArrays() throws Throwable {
    sink = MADE.invoke();
    sink = COLLECTOR.invoke("a", "b", 1000);
    sink = SPREADER.invoke(new Object[] {1, 2, 3});
    byte[] bytes = new byte[16];
    BYTES.set(bytes, 0, 1000L);
    sink = BYTES.get(bytes, 0);
    long[] longs = new long[2];
    sink = (Object) (long) LONGS.getAndAdd(longs, 1, 1000L);
    sink = (Object) (boolean) LONGS.compareAndSet(longs, 0, 0L, 5L);
  }

  static class Held {
    int n;
    synchronized void lock() {}
  }

  static Held nobody;

  /** The VM throws all of these; the first and the last have a message. */
  static void implicitExceptions() {
    Object[] strings = new String[1];
    Way[] ways = {
      () -> strings[0] = held,
      () -> sink = nobody.n,
      () -> nobody.n = 1,
      () -> nobody.lock(),
      () -> {
        synchronized (nobody) {
          sink = null;
        }
      },
      () -> {
        throw (RuntimeException) (Object) nobody;
      },
      () -> sink = 5 % (held.hashCode() - 7),
    };
    for (Way way : ways) {
      try {
        way.run();
      } catch (Throwable e) {
        sink = e;
      }
    }
  }

  private static final Way PROXY =
      (Way)
          java.lang.reflect.Proxy.newProxyInstance(
              Ways.class.getClassLoader(),
              new Class<?>[] {Way.class},
              (proxy, method, arguments) -> new int[3]);

  static void threads() {
    sink = new Thread(() -> {}, "never started");
  }

  static void others() throws Throwable {
    PROXY.run();
    sink = new java.lang.ref.WeakReference<>(held);
    sink = java.nio.ByteBuffer.allocate(10).slice();
    sink = java.math.BigInteger.TWO.pow(100).toString();
    sink = java.util.Optional.of(held).map(Object::hashCode).get();
    sink = new java.util.concurrent.ConcurrentHashMap<>(Map.of("a", 1));
    Runnable[] own = new Runnable[2];
    for (int i = 0; i < own.length; i++) {
      int k = i;
      own[i] = () -> sink = k;
      own[i].run();
    }
  }

  private static void tried(String name, Way way, boolean isMeasured) throws Throwable {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long id = Thread.currentThread().getId();
    for (int i = 0; i < 40; i++) { // reflection makes code of its own at the 16th
      way.run();
    }
    long before = threads.getThreadAllocatedBytes(id);
    measured(way);
    long after = threads.getThreadAllocatedBytes(id);
    if (isMeasured) {
      System.out.println(name + " " + (after - before));
    }
  }

  private static void measured(Way way) throws Throwable {
    way.run();
  }

  public static void main(String[] arguments) throws Throwable {
    tried("nothing", Ways::nothing, false);
    tried("nothing", Ways::nothing, true);
    tried("instances", Ways::instances, true);
    tried("failedConstructors", Ways::failedConstructors, true);
    tried("arrays", Ways::arrays, true);
    tried("nestedArrays", Ways::nestedArrays, true);
    tried("failedArrays", Ways::failedArrays, true);
    tried("clones", Ways::clones, true);
    tried("reflectiveArrays", Ways::reflectiveArrays, true);
    tried("boxes", Ways::boxes, true);
    tried("strings", Ways::strings, true);
    tried("format", Ways::format, true);
    tried("lambdas", Ways::lambdas, true);
    tried("collections", Ways::collections, true);
    tried("reflection", Ways::reflection, true);
    tried("reflectiveCalls", Ways::reflectiveCalls, true);
    tried("reflectiveElements", Ways::reflectiveElements, true);
    tried("handles", Ways::handles, true);
    tried("exceptions", Ways::exceptions, true);
    tried("serialization", Ways::serialization, true);
    tried("unsafely", Ways::unsafely, true);
    tried("concatenations", Ways::concatenations, true);
    tried("boxCaches", Ways::boxCaches, true);
    tried("records", Ways::records, true);
    tried("streams", Ways::streams, true);
    tried("handlesOfArrays", Ways::handlesOfArrays, true);
    tried("implicitExceptions", Ways::implicitExceptions, true);
    tried("threads", Ways::threads, true);
    tried("others", Ways::others, true);
  }
}
