import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;

/** Uses all that the VM links by Java code, identity hash codes, and copies of arrays. */
public class Linking implements Cloneable {
  record Point(int x, String name) {}

  static int sum(int x, String text) {
    return x + text.length();
  }

  int[][] numbers = new int[2][3];

  static String lambdas(int n) {
    Supplier<String> text = () -> "n" + n;
    IntBinaryOperator times = (a, b) -> a * b;
    Supplier<List<String>> made = ArrayList::new;
    List<String> list = made.get();
    list.add(text.get());
    return list + "-" + times.applyAsInt(n, 3);
  }

  static int handles() throws Throwable {
    MethodType type = MethodType.methodType(int.class, int.class, String.class);
    MethodHandle handle = MethodHandles.lookup().findStatic(Linking.class, "sum", type);
    MethodHandle bound = MethodHandles.insertArguments(handle, 0, 5);
    return (int) handle.invokeExact(3, "abc") + (int) bound.invokeExact("z");
  }

  static int copies() throws Exception {
    String[][] texts = {{"a", "b"}, {"c"}};
    String[][] copy = texts.clone();
    System.arraycopy(texts, 0, copy, 0, 2);
    copy[1] = texts[0].clone();
    Object nested = java.lang.reflect.Array.newInstance(Linking.class, 2, 2);
    java.lang.reflect.Array.set(nested, 0, new Linking[1]);
    Linking clone = (Linking) new Linking().clone();
    synchronized (clone) {
      clone.numbers[1] = new int[1];
    }
    return copy.length + clone.numbers.length + ((Object[]) nested).length;
  }

  /** Codes of objects that were locked, or asked in other ways before, from that of the first on. */
  static List<Integer> hashes() {
    Map<Object, Integer> objects = new IdentityHashMap<>();
    List<Integer> codes = new ArrayList<>();
    int first = new Object().hashCode();
    for (int k = 0; k < 10; k++) {
      Linking made = new Linking();
      synchronized (made) {
        codes.add(k % 2 == 0 ? made.hashCode() : System.identityHashCode(made));
      }
      codes.add(made.ofSuper());
      objects.put(made, k);
    }
    for (Object one : objects.keySet()) {
      codes.add(one.hashCode());
    }
    codes.replaceAll(code -> code - first);
    codes.sort(null);
    return codes;
  }

  int ofSuper() {
    return super.hashCode();
  }

  public static void main(String[] args) throws Throwable {
    System.out.println(lambdas(args.length));
    System.out.println(handles());
    System.out.println(copies());
    System.out.println(hashes());
    Map<Point, String> points = new HashMap<>();
    points.put(new Point(1, "p"), "one");
    points.put(new Point(2, "q"), null);
    System.out.println(points.get(new Point(1, "p")) + new Point(1, "p") + points.size());
  }
}
