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
  }
}
