import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Lambdas and method references of every kind: hidden classes that reach no transformer. */
public final class Lambdas {
  private final int base;

  private Lambdas(int base) { // expect: calls=4
    this.base = base;
  }

  private int add(int n) { // expect: calls=9
    return base + n;
  }

  private static int square(int n) { // expect: calls=5
    return n * n;
  }

  private static int apply(IntBinaryOperator f, int a, int b) { // expect: calls=4
    return f.applyAsInt(a, b); // expect: executions=4
  }

  private static <T, R> List<R> map(List<T> list, Function<? super T, ? extends R> f) {
    List<R> result = new ArrayList<>();
    for (T t : list) {
      result.add(f.apply(t)); // expect: executions=11
    }
    return result;
  }

  private static Supplier<Supplier<Integer>> nest(int n) { // expect: calls=1
    return () -> {
      int m = n + 1; // expect: executions=2
      return () -> {
        return n * m; // expect: executions=4
      };
    };
  }

  private Function<Integer, Integer> adder() { // expect: calls=2
    return this::add; // expect: executions=2
  }

  private static final Function<Integer, Integer> RECURSIVE = Lambdas::sumTo;

  private static int sumTo(int n) { // expect: calls=5
    return n == 0 ? 0 : n + RECURSIVE.apply(n - 1);
  }

  public static void main(String[] args) {
    List<Integer> numbers = List.of(1, 2, 3);
    System.out.println(map(numbers, Lambdas::square));
    System.out.println(map(numbers, new Lambdas(10)::add));
    System.out.println(map(numbers, new Lambdas(20).adder()));
    System.out.println(map(List.of("a", "bc"), String::length));
    System.out.println(apply((a, b) -> a * b, 6, 7));
    System.out.println(apply(Math::max, 6, 7));
    System.out.println(apply(Integer::compare, 6, 7));
    int captured = numbers.size();
    System.out.println(
        apply(
            (a, b) -> {
              int c = a + b; // expect: executions=1
              return c * captured;
            },
            6,
            7));
    Supplier<Supplier<Integer>> outer = nest(4);
    for (int i = 0; i < 2; i++) {
      Supplier<Integer> inner = outer.get(); // expect: executions=2
      System.out.println(inner.get() + inner.get());
    }
    IntFunction<int[]> newArray = int[]::new;
    System.out.println(newArray.apply(5).length);
    Function<Integer, Lambdas> constructor = Lambdas::new;
    BiFunction<Lambdas, Integer, Integer> unbound = Lambdas::add;
    System.out.println(unbound.apply(constructor.apply(30), 3));
    Function<Integer, Integer> composed = constructor.apply(0).adder().andThen(Lambdas::square);
    System.out.println(composed.apply(3) + composed.apply(4));
    System.out.println(RECURSIVE.apply(4));
  }
}
