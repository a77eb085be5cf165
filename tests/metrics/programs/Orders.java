/**
 * Receivers, targets and branches in a known order. Its 149 bytecodes: main 61, measure 5 * 3,
 * area 6 * 2, pick 4 * 4, steady 2 * 4, kind 4 * 4, constructors 6 + 9 + 6.
 */
public final class Orders {
  public static void main(String[] args) {
    Shape circle = new Circle(); // 4, and 3 in each of two constructors
    Shape disc = new Disc(); // 4, and 3 in each of three
    Shape square = new Square(); // 4, and 3 in each of two
    measure(circle); // 3: misses by receiver and by target, since it is the first
    measure(circle); // 3
    measure(disc); // 3: misses by receiver; the target is Circle.area again
    measure(square); // 3: misses by both
    measure(circle); // 3: misses by both
    square.area(); // 3: a second site; misses by both
    pick(1); // 3
    pick(1); // 3
    pick(0); // 3: the branch changes
    pick(1); // 3: it changes again
    steady(1); // 3
    steady(1); // 3
    kind(1); // 3
    kind(2); // 3: the switch changes
    kind(2); // 3
    kind(5); // 3: it changes again
  } // 1

  static int measure(Shape shape) {
    return shape.area(); // 3: one site, three receiver classes, two targets
  }

  static int pick(int number) {
    if (number > 0) { // 2
      return 1; // 2
    }
    return 0; // 2
  }

  static int steady(int number) {
    if (number > 0) { // 2: executed, never changing
      return 1; // 2
    }
    return 0;
  }

  static int kind(int number) {
    switch (number) { // 2
      case 1:
        return 10; // 2
      case 2:
        return 20; // 2
      default:
        return 0; // 2
    }
  }

  abstract static class Shape {
    abstract int area();
  }

  static class Circle extends Shape {
    int area() {
      return 1; // 2
    }
  }

  static final class Disc extends Circle {}

  static final class Square extends Shape {
    int area() {
      return 2; // 2
    }
  }
}
