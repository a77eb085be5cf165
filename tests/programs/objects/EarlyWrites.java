/** Writes fields before an object is initialised: its own, in all ways, and those of others. */
public final class EarlyWrites {
  static Object kept;

  private EarlyWrites() {}

  /** Of 3: kids of the first two is read, then written; other of the first is written. */
  static final class Node {
    int kids;
    Node other;

    Node() {}

    Node(Node parent) {
      this(parent.kids++);
    }

    Node(Node parent, Node child) {
      this(parent.other = child);
    }

    private Node(int number) {
      if (number < 0) {
        throw new IllegalStateException();
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    Node first = new Node();
    Node second = new Node(first);
    Node third = new Node(first, second);
    kept = third;
    EarlyMaybe some = new EarlyMaybe(3);
    EarlyMaybe none = new EarlyMaybe(0);
    EarlySum sum = new EarlySum(1, 2);
    TwoWays zero = new TwoWays(0, null);
    TwoWays one = new TwoWays(1, "x");
    one.change(5);
    try {
      new TwoWays(2, "throws");
    } catch (ArithmeticException e) {
      TwoWays.escaped.change(6);
    }
    System.out.println(first.kids + " " + some.x + none.x + sum.x + zero.own + one.own);
  }
}
