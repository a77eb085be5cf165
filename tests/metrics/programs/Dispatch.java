/**
 * Calls by each invoke instruction but one, with receivers, targets and arguments to be counted.
 * Everything is about {@code work} and what it calls: 20 calls, from 12 call sites, in 15 contexts
 * of 10 methods. The classes are loaded before, so that the VM calls nothing in it.
 */
public final class Dispatch {
  interface Shape {
    double area(double scale, Object unit, int n);

    default int sides() {
      return 0; // 2 bytecodes: iconst_0 ireturn
    }
  }

  static class Square implements Shape { // <init>, 3 bytecodes: aload_0 invokespecial return
    @Override
    public double area(double scale, Object unit, int n) {
      return scale; // 2 bytecodes: dload_1 dreturn
    }
  }

  /** Another receiver class, and no other target. */
  static final class Tile extends Square {} // <init>, 3 bytecodes: aload_0 invokespecial return

  static final class Circle implements Shape {
    @Override
    public double area(double scale, Object unit, int n) {
      return scale * n; // 5 bytecodes: dload_1 iload i2d dmul dreturn
    }
  }

  public static void main(String[] args) {
    Square square = new Square(); // invokespecial, and one there
    Tile tile = new Tile(); // invokespecial, one there, and one in that
    Circle circle = new Circle(); // invokespecial, and one there
    work(square, tile, circle); // invokestatic
  }

  static void work(Square square, Tile tile, Circle circle) {
    for (int i = 0; i < 2; i++) {
      area(square); // invokestatic, 2 calls; 1 parameter, a reference
      area(tile); // likewise
      area(circle); // likewise
    }
    square.area(1.0, null, 1); // invokevirtual, 1 receiver class, 1 target; 3 parameters
    tile.sides(); // invokevirtual, 1 receiver class, 1 target
    new Tile(); // invokespecial, one there, and one in that; no parameters
    mix(1L, 1.0f, 1.0, null, null, true, 'x'); // 7: 3 integers, 2 floating, 2 references
    six((byte) 1, (short) 1, 1, 1L, 'x', true); // 6: all integers
    six((byte) 1, (short) 1, 1, 1L, 'x', true);
  }

  static void area(Shape shape) {
    shape.area(1.0, null, 2); // invokeinterface, 6 calls: 3 receiver classes, 2 targets (4 and 2)
  }

  static int mix(long a, float b, double c, int[] d, String e, boolean f, char g) {
    return 0; // 2 bytecodes: iconst_0 ireturn
  }

  static void six(byte a, short b, int c, long d, char e, boolean f) {} // 1 bytecode: return
}
