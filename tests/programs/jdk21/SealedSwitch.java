import java.util.List;

/** Pattern switches over a sealed hierarchy: typeSwitch by invokedynamic. */
public final class SealedSwitch {
  private sealed interface Shape permits Circle, Square, Pair {}

  private record Circle(int radius) implements Shape {}

  private record Square(int side) implements Shape {}

  private record Pair(Shape first, Shape second) implements Shape {}

  private enum Colour {
    RED,
    GREEN
  }

  private static int area(Shape s) { // expect: calls=8
    return switch (s) {
      case Circle c when c.radius() > 10 ->
          1000; // expect: executions=1
      case Circle c ->
          3 * c.radius() * c.radius(); // expect: executions=2
      case Square q ->
          q.side() * q.side(); // expect: executions=2
      case Pair(Circle a, Circle b) ->
          a.radius() + b.radius(); // expect: executions=1
      case Pair(Shape a, Shape b) ->
          area(a) + area(b); // expect: executions=2
    };
  }

  private static String describe(Object o) { // expect: calls=8
    return switch (o) {
      case null ->
          "null"; // expect: executions=1
      case Integer i when i < 0 ->
          "negative " + i; // expect: executions=1
      case Integer i ->
          "int " + i; // expect: executions=1
      case String s when s.isEmpty() ->
          "empty"; // expect: executions=1
      case String s ->
          s.toUpperCase(); // expect: executions=1
      case Colour c when c == Colour.RED ->
          "red"; // expect: executions=1
      case int[] a ->
          "ints " + a.length; // expect: executions=1
      default ->
          o.toString(); // expect: executions=1
    };
  }

  private static int constant(String s) {
    return switch (s) {
      case "one" ->
          1; // expect: executions=1
      case "two" ->
          2; // expect: executions=1
      case String t when t.length() > 4 ->
          t.length(); // expect: executions=1
      default ->
          -1; // expect: executions=1
    };
  }

  public static void main(String[] args) {
    List<Shape> shapes =
        List.of(
            new Circle(11),
            new Square(3),
            new Pair(new Circle(1), new Circle(2)),
            new Pair(new Circle(2), new Pair(new Circle(3), new Square(4))));
    int sum = 0;
    for (Shape s : shapes) {
      sum += area(s); // expect: executions=4
    }
    System.out.println(sum);
    Object[] objects = {null, -5, 5, "", "x", Colour.RED, Colour.GREEN, new int[3]};
    for (Object o : objects) {
      System.out.println(describe(o)); // expect: executions=8
    }
    System.out.println(constant("one") + constant("two") + constant("seven") + constant("x"));
  }
}
