import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Records: equals, hashCode and toString are linked by invokedynamic. */
public final class Records {
  private record Point(int x, int y) {
    Point { // expect: calls=8
      if (x < 0) {
        throw new IllegalArgumentException("x " + x); // expect: executions=1
      }
    }

    static Point origin() { // expect: calls=2
      return new Point(0, 0);
    }

    Point plus(Point other) { // expect: calls=1
      return new Point(x + other.x(), y + other.y());
    }
  }

  private record Named<T extends Comparable<T>>(String name, T value, double weight, int... rest) {
    Named(String name, T value) { // expect: calls=2
      this(name, value, 1.5);
    }

    boolean isLess(Named<T> other) { // expect: calls=1
      return value.compareTo(other.value) < 0;
    }
  }

  private record Empty() {}

  private record Counted(int n) {
    private static int equalsCalls;

    @Override
    public boolean equals(Object o) { // expect: calls=4
      equalsCalls++;
      return o instanceof Counted c && c.n == n;
    }

    @Override
    public int hashCode() { // expect: calls=5
      return n % 2;
    }
  }

  public static void main(String[] args) {
    Point p = new Point(1, 2);
    Point q = Point.origin().plus(p);
    System.out.println(p.equals(q) + " " + (p.hashCode() == q.hashCode()) + " " + q);
    Set<Point> points = new HashSet<>(List.of(p, new Point(3, 4), new Point(5, 6), new Point(1, 3)));
    points.add(q);
    System.out.println(points.size() + " " + points.contains(Point.origin()));
    try {
      points.add(new Point(-1, 0));
    } catch (IllegalArgumentException e) {
      System.out.println(e.getMessage()); // expect: executions=1
    }
    Named<Integer> a = new Named<>("a", 1);
    Named<Integer> b = new Named<>("b", 2);
    System.out.println(a.isLess(b) + " " + a.equals(b) + " " + a.name() + b.weight() + b.rest().length);
    System.out.println(new Empty().equals(new Empty()) + " " + new Empty() + new Empty().hashCode());
    Set<Counted> counted = new HashSet<>();
    for (int i = 0; i < 4; i++) {
      counted.add(new Counted(i)); // expect: executions=4
    }
    System.out.println(counted.contains(new Counted(2)) + " " + Counted.equalsCalls);
    System.out.println(Objects.equals(a, null));
  }
}
