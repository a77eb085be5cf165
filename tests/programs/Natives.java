import java.util.Arrays;

/** Natives and VM-replaced methods in the middle of blocks, some of which throw. */
public final class Natives implements Cloneable {
  private final int[] data = {3, 1, 2};

  private static int hashes(Object o) {
    int a = o.hashCode(); // expect: executions=2
    int b = System.identityHashCode(o);
    return a == b ? 1 : 0; // expect: executions=2
  }

  private static int copies(int[] from, int at) {
    int[] to = new int[4]; // expect: executions=3
    System.arraycopy(from, 0, to, at, from.length);
    return Arrays.hashCode(to); // expect: executions=1
  }

  private static int cloned(int[] a, Object[][] b) {
    int[] c = a.clone(); // expect: executions=2
    Object[][] d = b.clone();
    c[0] = 9; // expect: executions=1
    return a[0] + c[0] + d.length;
  }

  private static final class Holder {
    private int value = 5;

    final class Part {
      int get() { // expect: calls=1
        return value;
      }
    }
  }

  private static int nullCheck(Holder h) {
    Holder.Part p = h.new Part(); // expect: executions=2
    return p.get(); // expect: executions=1
  }

  private static String classes(Object o) {
    Class<?> c = o.getClass(); // expect: executions=2
    return c.getSimpleName() + c.isArray() + c.getSuperclass(); // expect: executions=1
  }

  private Natives copy() {
    try {
      return (Natives) clone(); // expect: executions=1
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e); // expect: executions=0
    }
  }

  private static final class Stubborn {
    Object copy() throws CloneNotSupportedException {
      return super.clone(); // expect: executions=1
    }
  }

  private static int caught(Runnable r) {
    try {
      r.run();
      return 0; // expect: executions=0
    } catch (RuntimeException e) {
      return e.getClass().getSimpleName().length(); // expect: executions=5
    }
  }

  @Override
  public int hashCode() { // expect: calls=1
    return super.hashCode() & 0; // expect: executions=1
  }

  @Override
  public boolean equals(Object o) {
    return o == this;
  }

  public static void main(String[] args) throws Exception {
    System.out.println(hashes(new Object()) + hashes(args));
    System.out.println(copies(new int[] {1, 2}, 1));
    System.out.println(caught(() -> copies(new int[] {1, 2}, 3)) + caught(() -> copies(null, 0)));
    System.out.println(cloned(new int[] {1}, new Object[2][3]));
    System.out.println(caught(() -> cloned(new int[1], null)));
    System.out.println(nullCheck(new Holder()));
    System.out.println(caught(() -> nullCheck(null)) + classes("x"));
    System.out.println(caught(() -> classes(null)));
    Natives n = new Natives();
    System.out.println(n.copy().data == n.data);
    System.out.println(n.hashCode());
    try {
      new Stubborn().copy();
    } catch (CloneNotSupportedException e) {
      System.out.println(e.getMessage().length()); // expect: executions=1
    }
    System.out.println(new String("ab").intern() == "ab");
    System.out.println(Class.forName("java.lang.Integer") == Integer.class);
    System.out.println(Runtime.getRuntime().availableProcessors() > 0);
    System.out.println(Double.doubleToRawLongBits(1.5) + Float.floatToIntBits(2f));
    System.out.println(new StringBuilder("abc").reverse().append("x".repeat(3)).indexOf("xx"));
    System.out.println("abc".compareTo("abd") + "hello".indexOf('l') + "a,b".split(",").length);
    System.out.println(System.getProperty("no such property"));
    Thread.sleep(0);
    Thread.yield();
  }
}
