/** Twelve receivers in turn at one call site, two at another, and targets that are shared. */
public final class Megamorphic {
  private interface Shape {
    int area();
  }

  private abstract static class Base implements Shape {
    abstract int side();

    @Override
    public int area() { // expect: calls=120
      return side(); // expect: targets=12 executions=120
    }
  }

  private static final class S0 extends Base {
    int side() { // expect: calls=10
      return 0;
    }
  }

  private static final class S1 extends Base {
    int side() { // expect: calls=10
      return 1;
    }
  }

  private static final class S2 extends Base {
    int side() { // expect: calls=10
      return 2;
    }
  }

  private static final class S3 extends Base {
    int side() { // expect: calls=10
      return 3;
    }
  }

  private static final class S4 extends Base {
    int side() { // expect: calls=10
      return 4;
    }
  }

  private static final class S5 extends Base {
    int side() { // expect: calls=10
      return 5;
    }
  }

  private static final class S6 extends Base {
    int side() { // expect: calls=10
      return 6;
    }
  }

  private static final class S7 extends Base {
    int side() { // expect: calls=10
      return 7;
    }
  }

  private static final class S8 extends Base {
    int side() { // expect: calls=10
      return 8;
    }
  }

  private static final class S9 extends Base {
    int side() { // expect: calls=10
      return 9;
    }
  }

  private static final class S10 extends Base {
    int side() { // expect: calls=10
      return 10;
    }
  }

  private static final class S11 extends Base {
    int side() { // expect: calls=10
      return 11;
    }
  }

  private static final class Direct implements Shape {
    @Override
    public int area() { // expect: calls=10
      return 100;
    }
  }

  private static int total(Shape[] shapes) { // expect: calls=10
    int sum = 0;
    for (Shape s : shapes) {
      sum += s.area(); // expect: targets=2 executions=130
    }
    return sum;
  }

  private static int rotate(Object[] objects, int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      Object o = objects[i % objects.length];
      sum += o.equals(objects[0]) ? 1 : 0; // expect: executions=60
    }
    return sum;
  }

  public static void main(String[] args) {
    Shape[] shapes = {
      new S0(), new S1(), new S2(), new S3(), new S4(), new S5(), new S6(), new S7(), new S8(),
      new S9(), new S10(), new S11(), new Direct()
    };
    int sum = 0;
    for (int i = 0; i < 10; i++) {
      sum += total(shapes); // expect: executions=10
    }
    System.out.println(sum);
    System.out.println(rotate(new Object[] {"a", 1, 2L, 'c', 1.5, 2f, true, (byte) 3}, 60));
  }
}
