import java.util.Iterator;
import java.util.Objects;

/** Inner, local and anonymous classes, records, enums, generics and interfaces. */
public class Shapes implements Iterable<Shapes.Point> {
  record Point(int x, int y) {
    Point {
      Watch.see(this);
    }

    Point plus(Point other) {
      return new Point(x + other.x, y + other.y);
    }
  }

  record Line(Point from, Point to) {
    Line {
      Watch.see(this);
      Objects.requireNonNull(from);
      Watch.tick();
    }

    Line reversed() {
      return new Line(to, from);
    }
  }

  enum Unit {
    METRE, MILE {
      @Override
      Object keep(Object object) {
        return null;
      }
    };

    Object kept;

    Object keep(Object object) {
      Object old = kept;
      kept = object;
      return old;
    }
  }

  interface Shape {
    default Shape moved(Point by) {
      Shape self = this;
      return new Shape() {
        { Watch.see(this); }

        @Override
        public int area() {
          Watch.tick();
          return self.area() + by.x;
        }
      };
    }

    int area();
  }

  final class Inner implements Shape {
    final Object own = new Object[2];

    Inner() {
      Watch.see(this);
    }

    @Override
    public int area() {
      return size + Shapes.this.last.x();
    }
  }

  static final class Box<T extends Comparable<T>> implements Comparable<Box<T>> {
    T value;

    Box(T value) {
      Watch.see(this);
      this.value = value;
    }

    Box<T> larger(Box<T> other) {
      return compareTo(other) < 0 ? other : this;
    }

    @Override
    public int compareTo(Box<T> other) {
      Watch.tick();
      return value.compareTo(other.value);
    }
  }

  private final int size;
  private Point last = new Point(1, 1);

  Shapes(int size) {
    Watch.see(this);
    this.size = size;
  }

  @Override
  public Iterator<Point> iterator() {
    class Points implements Iterator<Point> {
      private int at;

      Points() {
        Watch.see(this);
      }

      @Override
      public boolean hasNext() {
        return at < size;
      }

      @Override
      public Point next() {
        return last = last.plus(new Point(at++, 0));
      }
    }
    return new Points();
  }

  static void inners() {
    Shape inner = new Shapes(3).new Inner();
    Watch.tick();
    System.out.println(inner.moved(new Point(2, 2)).moved(new Point(3, 3)).area());
    inner = null;
    Watch.tick();
  }

  static void iterated() {
    int sum = 0;
    for (Point point : new Shapes(4)) {
      sum += point.x();
      Watch.tick();
    }
    System.out.println(sum);
  }

  static void records() {
    Line line = new Line(new Point(1, 2), new Point(3, 4).plus(new Point(5, 6)));
    Watch.tick();
    line = line.reversed();
    Point from = line.from();
    line = null;
    Watch.tick();
    System.out.println(from.equals(new Line(from, null).from()));
    try {
      new Line(null, new Point(9, 9));
    } catch (NullPointerException e) {
      Watch.tick();
    }
  }

  static void enums() {
    Unit.METRE.keep(new Point(7, 7));
    Unit.MILE.keep(new Point(8, 8));
    Watch.tick();
    Object old = Unit.METRE.keep(new Point(0, 0));
    Watch.tick();
    System.out.println(old);
  }

  static void boxes() {
    Box<Integer> box = new Box<>(1).larger(new Box<>(4)).larger(new Box<>(2).larger(new Box<>(3)));
    Watch.tick();
    System.out.println(box.value);
  }

  public static void main(String[] args) throws Exception {
    Watch.begin(args);
    inners();
    iterated();
    records();
    enums();
    boxes();
    Watch.end();
  }
}
