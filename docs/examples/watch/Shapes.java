/** Adds up areas: of squares alone in the first half of the rounds, then of strips, too. */
final class Shapes {
  interface Shape {
    int area();
  }

  record Square(int side) implements Shape {
    public int area() {
      return side * side;
    }
  }

  record Strip(int length) implements Shape {
    public int area() {
      int area = 0;
      for (int i = 0; i < length; i++) {
        area += i % 3;
      }
      return area;
    }
  }

  private Shapes() {}

  public static void main(String[] arguments) {
    int rounds = Integer.parseInt(arguments[0]);
    Shape[] shapes = new Shape[1000];
    long sum = 0;
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < shapes.length; i++) {
        boolean isSquare = round < rounds / 2 || i % 2 == 0;
        shapes[i] = isSquare ? new Square(i % 10) : new Strip(i % 100);
      }
      sum += total(shapes);
    }
    System.out.println(sum);
  }

  static long total(Shape[] shapes) {
    long sum = 0;
    for (Shape shape : shapes) {
      sum += shape.area();
    }
    return sum;
  }
}
