import java.util.HashMap;
import java.util.Map;

/** Trees and searches whose objects wait on the stack for those below them. */
public class Recursions {
  static final class Tree {
    Tree left, right;
    final int key;

    Tree(int key, Tree left, Tree right) {
      this(Watch.born("Recursions$Tree"), key, left, right);
    }

    Tree(int born, int key, Tree left, Tree right) {
      Watch.see(this, born);
      this.key = key;
      this.left = left;
      this.right = right;
    }

    Tree insert(int other) {
      if (other < key) {
        return new Tree(key, left == null ? new Tree(other, null, null) : left.insert(other), right);
      }
      return new Tree(key, left, right == null ? new Tree(other, null, null) : right.insert(other));
    }

    int sum() {
      return (left == null ? 0 : left.sum()) + key + (right == null ? 0 : right.sum());
    }
  }

  record Board(Board above, int column) {
    Board {
      Watch.see(this);
    }

    boolean isSafe(int other) {
      int distance = 1;
      for (Board at = this; at != null; at = at.above, distance++) {
        if (at.column == other || Math.abs(at.column - other) == distance) {
          return false;
        }
      }
      return true;
    }
  }

  static final class Number {
    final int value;

    Number(int value) {
      Watch.see(this);
      this.value = value;
    }

    Number plus(Number other) {
      return new Number(value + other.value);
    }
  }

  static Tree build(int depth) {
    return depth == 0
        ? tick(null)
        : new Tree(
            Watch.born("Recursions$Tree"),
            depth,
            build(depth - 1),
            depth % 2 == 0 ? build(depth - 2) : null);
  }

  static <T> T tick(T object) {
    Watch.tick();
    return object;
  }

  static int queens(Board board, int row, int size) {
    if (row == size) {
      Watch.tick();
      return 1;
    }
    int found = 0;
    for (int column = 0; column < size; column++) {
      if (board == null || board.isSafe(column)) {
        found += queens(new Board(board, column), row + 1, size);
      }
    }
    return found;
  }

  static Number fibonacci(int n) {
    return n < 2 ? tick(new Number(n)) : fibonacci(n - 1).plus(fibonacci(n - 2));
  }

  static final Map<Integer, Number> known = new HashMap<>();

  static Number remembered(int n) {
    Number found = known.get(n);
    if (found == null) {
      found = n < 2 ? new Number(n) : remembered(n - 1).plus(remembered(n - 2));
      known.put(n, found);
      Watch.tick();
    }
    return found;
  }

  static boolean isEven(Number n) {
    return n.value == 0 || isOdd(tick(new Number(n.value - 1)));
  }

  static boolean isOdd(Number n) {
    return n.value != 0 && isEven(tick(new Number(n.value - 1)));
  }

  public static void main(String[] args) throws Exception {
    Watch.begin(args);
    System.out.println(build(4).sum());
    Tree tree = new Tree(50, null, null);
    for (int k = 1; k < 9; k++) {
      tree = tick(tree.insert(k * 37 % 100));
    }
    System.out.println(tree.sum());
    tree = null;
    System.out.println(queens(null, 0, 5));
    System.out.println(fibonacci(5).value);
    System.out.println(remembered(6).value);
    known.keySet().removeIf(n -> n % 2 == 0);
    Watch.tick();
    known.clear();
    Watch.tick();
    System.out.println(isEven(new Number(5)));
    Watch.end();
  }
}
