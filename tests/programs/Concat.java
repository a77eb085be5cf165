/** String concatenation by invokedynamic, with every kind of operand, and by StringBuilder. */
public final class Concat {
  private static final class Named {
    private final String name;

    Named(String name) {
      this.name = name;
    }

    @Override
    public String toString() { // expect: calls=4
      return "<" + name + ">"; // expect: executions=4
    }
  }

  private static String all(int i, long l, char c, boolean z, float f, double d, Object o) {
    return i + "," + l + c + z + "," + f + "," + d + o; // expect: executions=2
  }

  private static String assigned(int n) {
    String s = "";
    for (int i = 0; i < n; i++) {
      s += i + ";"; // expect: executions=12
    }
    return s;
  }

  private static String built(int n) {
    StringBuilder b = new StringBuilder();
    for (int i = 0; i < n; i++) {
      b.append(i).append(i % 2 == 0 ? "e" : "o"); // expect: executions=12
    }
    return b.toString();
  }

  private static String special(Object o) {
    return "\u0001" + o + "\u0002"; // expect: executions=2
  }

  private static final class Thrower {
    @Override
    public String toString() { // expect: calls=1
      throw new IllegalStateException("toString");
    }
  }

  public static void main(String[] args) {
    System.out.println(all(1, 2L, 'c', true, 1.5f, 2.25, new Named("x")));
    System.out.println(all(-1, Long.MIN_VALUE, '\u00e9', false, -0f, Double.NaN, null));
    System.out.println(assigned(12));
    System.out.println(built(12));
    System.out.println(special(new Named("y")).length() + special("z").length());
    final String constant = "a" + 1 + 'b' + 2.5;
    System.out.println(constant + null + args.length);
    try {
      System.out.println("never " + new Thrower()); // expect: executions=1
    } catch (IllegalStateException e) {
      System.out.println("caught " + e.getMessage()); // expect: executions=1
    }
    Named n = new Named("w");
    String twice = n + "" + n;
    System.out.println(twice);
  }
}
