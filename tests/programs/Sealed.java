import java.util.List;

/** Sealed hierarchies taken apart with instanceof patterns (the JDK 17 way). */
public final class Sealed {
  private sealed interface Expr permits Num, Add, Mul, Neg {}

  private record Num(int value) implements Expr {}

  private record Add(Expr left, Expr right) implements Expr {}

  private record Mul(Expr left, Expr right) implements Expr {}

  private static final class Neg implements Expr {
    private final Expr of;

    Neg(Expr of) { // expect: calls=2
      this.of = of;
    }
  }

  private static int eval(Expr e) { // expect: calls=13
    if (e instanceof Num n) {
      return n.value(); // expect: executions=7
    } else if (e instanceof Add a) {
      return eval(a.left()) + eval(a.right()); // expect: executions=2
    } else if (e instanceof Mul m && !(m.left() instanceof Num z && z.value() == 0)) {
      return eval(m.left()) * eval(m.right()); // expect: executions=1
    } else if (e instanceof Mul) {
      return 0; // expect: executions=1
    } else if (e instanceof Neg g) {
      return -eval(g.of); // expect: executions=2
    }
    throw new AssertionError(e); // expect: executions=0
  }

  public static void main(String[] args) {
    Expr sum = new Add(new Num(1), new Neg(new Num(2)));
    Expr product = new Mul(new Num(3), new Add(new Num(4), new Num(5)));
    Expr zero = new Mul(new Num(0), product);
    List<Expr> all = List.of(sum, product, zero, new Neg(new Num(6)), new Num(7));
    for (Expr e : all) {
      System.out.println(eval(e)); // expect: executions=5
    }
  }
}
