/** The order of class and instance initialisation, and virtual calls from constructors. */
public final class InitOrder {
  private static final StringBuilder LOG = new StringBuilder();

  private static int log(String s) { // expect: calls=24
    LOG.append(s).append(' ');
    return s.length();
  }

  private static class Parent {
    static int a = log("Parent.static"); // expect: executions=1
    int x = log("Parent.x"); // expect: executions=2

    {
      log("Parent.block"); // expect: executions=2
    }

    Parent() {
      log("Parent()"); // expect: executions=2
      describe(); // expect: targets=1
    }

    void describe() { // expect: calls=0
      log("Parent.describe");
    }
  }

  private static final class Child extends Parent {
    static int b = log("Child.static"); // expect: executions=1
    private final int y = log("Child.y");
    private String text = "set"; // expect: executions=2

    Child() {
      super();
      log("Child()"); // expect: executions=2
    }

    @Override
    void describe() { // expect: calls=2
      log("Child.describe " + y + text);
    }
  }

  private interface Lazy {
    int CONSTANT = 5;
    int COMPUTED = log("Lazy.static"); // expect: executions=1

    int get();
  }

  private static final class Impl implements Lazy {
    static {
      log("Impl.static"); // expect: executions=1
    }

    @Override
    public int get() {
      return CONSTANT;
    }
  }

  private static final class CycleA {
    static final int A = 1 + CycleB.B; // expect: executions=1

    static {
      log("CycleA " + A); // expect: executions=1
    }
  }

  private static final class CycleB {
    static final int B = 10 + CycleA.A; // expect: executions=1

    static {
      log("CycleB " + B); // expect: executions=1
    }
  }

  private enum Planet {
    EARTH(1),
    MARS(2) {
      @Override
      int weight() { // expect: calls=1
        return -super.weight();
      }
    };

    private static final int SUM;

    static {
      int sum = 0;
      for (Planet p : values()) {
        sum += p.weight(); // expect: targets=2 executions=2
      }
      SUM = sum;
    }

    private final int mass;

    Planet(int mass) { // expect: calls=2
      this.mass = log("planet" + mass);
    }

    int weight() { // expect: calls=2
      return mass;
    }
  }

  private static final class Unused {
    static int never = log("never"); // expect: executions=0
  }

  static {
    log("Main.static"); // expect: executions=1
  }

  public static void main(String[] args) {
    log("main"); // expect: executions=1
    Parent[] none = new Child[1];
    Class<?> literal = Unused.class;
    none[0] = new Child();
    new Child();
    Lazy impl = new Impl();
    log("got" + impl.get() + Lazy.CONSTANT);
    log("computed" + Lazy.COMPUTED);
    System.out.println(CycleA.A + CycleB.B + Planet.SUM);
    System.out.println(LOG + literal.getSimpleName());
  }
}
