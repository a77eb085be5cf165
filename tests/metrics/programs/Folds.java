/**
 * Recursion of every kind, for recordings in which calls are folded: on request, or since the
 * memory for nodes is full. What the program does is the same in each of them.
 */
public final class Folds {
  interface Part {
    int size(int depth);
  }

  record Leaf(int value) implements Part {
    @Override
    public int size(int depth) {
      return value;
    }
  }

  record Pair(Part first, Part second) implements Part {
    @Override
    public int size(int depth) {
      return first.size(depth + 1) + second.size(depth + 1); // reaches itself, Leaf and Chain
    }
  }

  record Chain(Part next) implements Part {
    @Override
    public int size(int depth) {
      return 1 + next.size(depth + 1);
    }
  }

  static boolean even(int n) {
    return n == 0 || odd(n - 1);
  }

  static boolean odd(int n) {
    return n != 0 && even(n - 1);
  }

  static int factorial(int n) {
    return n == 0 ? 1 : n * factorial(n - 1);
  }

  /** Leaves its subtree by recursion: what it calls then counts above, where calls are folded. */
  static long visit(int n, Integer boxed) {
    if (n == 0) {
      return leaf(boxed);
    }
    return step(n, boxed) + leaf(boxed);
  }

  static long step(int n, Integer boxed) {
    return visit(n - 1, Integer.valueOf(n)) + leaf(boxed);
  }

  static long leaf(Integer boxed) {
    return boxed.longValue();
  }

  static double root(double x, int n) {
    return n == 0 ? x : Math.sqrt(root(x * 1.5, n - 1));
  }

  static int risky(int[] numbers, int n) {
    try {
      return numbers[n] + risky(numbers, n + 1);
    } catch (ArrayIndexOutOfBoundsException end) {
      return 0;
    }
  }

  static synchronized int locked(int n) {
    return n == 0 ? 0 : 1 + locked(n - 1);
  }

  static int plain(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      sum += i % 3 == 0 ? 1 : 2;
    }
    return sum;
  }

  /** Calls through other paths than recursion, many of them: contexts that need memory. */
  static int spread(int n, int way) {
    if (n == 0) {
      return plain(way & 3);
    }
    return (way & 1) == 0 ? left(n - 1, way >> 1) : right(n - 1, way >> 1);
  }

  static int left(int n, int way) {
    return n == 0 ? plain(1) : spread(n - 1, way) + Part.class.getModifiers();
  }

  static int right(int n, int way) {
    return n == 0 ? plain(2) : spread(n - 1, way) * 2;
  }

  public static void main(String[] args) {
    Part part = new Leaf(3);
    for (int i = 0; i < 6; i++) {
      part = i % 2 == 0 ? new Pair(part, new Leaf(i)) : new Chain(new Pair(part, part));
    }
    long sum = part.size(0);
    sum += even(9) ? 1 : 2;
    sum += factorial(7);
    sum += visit(5, 300);
    sum += (long) root(2.0, 4);
    sum += risky(new int[] {1, 2, 3, 4}, 0);
    sum += locked(4);
    sum += plain(10);
    for (int way = 0; way < 64; way++) {
      sum += spread(8, way);
    }
    System.out.println(sum);
    // No group has two threads, and nobody waits for one: what either runs would be chance.
    Thread flat = new Thread(new ThreadGroup("second"), () -> plain(7), "flat");
    Runnable work = () -> {
      visit(3, 7);
      flat.start();
    };
    new Thread(new ThreadGroup("first"), work, "other").start();
  }
}
