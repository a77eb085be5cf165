import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Five kernels: floating point, array permutation, allocation, collections, dispatch. */
public final class Micro {
  public static void main(String[] args) throws Exception {
    int size = Iterations.size(args);
    Iterations.run(
        args,
        () ->
            "orbit "
                + Orbit.energyAfter(400 * size)
                + "\nflips "
                + Flips.most(size < 20 ? 8 : 9)
                + "\ntrees "
                + Trees.count(12, size)
                + "\nwords "
                + Words.report(300 * size)
                + "\nshapes "
                + Shapes.total(2000 * size));
  }

  /** Planets about a sun, integrated by leapfrog. */
  private static final class Orbit {
    private final double[] mass = {39.47, 0.0377, 0.0113, 0.0017, 0.0020};
    private final double[][] at = {
      {0, 0, 0},
      {4.84, -1.16, -0.10},
      {8.34, 4.12, -0.40},
      {12.89, -15.11, -0.22},
      {15.38, -25.92, 0.18}
    };
    private final double[][] speed = {
      {0, 0, 0}, {0.61, 2.81, -0.02}, {-1.01, 1.82, 0.01}, {1.08, 0.87, -0.01}, {0.98, 0.59, -0.03}
    };

    static String energyAfter(int steps) {
      Orbit orbit = new Orbit();
      for (int i = 0; i < steps; i++) {
        orbit.advance(0.001);
      }
      return Long.toHexString(Double.doubleToLongBits(orbit.energy()));
    }

    private void advance(double dt) {
      for (int i = 0; i < mass.length; i++) {
        for (int j = i + 1; j < mass.length; j++) {
          attract(i, j, dt);
        }
      }
      for (int i = 0; i < mass.length; i++) {
        for (int k = 0; k < 3; k++) {
          at[i][k] += dt * speed[i][k];
        }
      }
    }

    private void attract(int i, int j, double dt) {
      double d2 = square(i, j, 0) + square(i, j, 1) + square(i, j, 2);
      double pull = dt / (d2 * Math.sqrt(d2));
      for (int k = 0; k < 3; k++) {
        double d = at[i][k] - at[j][k];
        speed[i][k] -= d * mass[j] * pull;
        speed[j][k] += d * mass[i] * pull;
      }
    }

    private double square(int i, int j, int k) {
      double d = at[i][k] - at[j][k];
      return d * d;
    }

    private double energy() {
      double sum = 0;
      for (int i = 0; i < mass.length; i++) {
        for (int k = 0; k < 3; k++) {
          sum += 0.5 * mass[i] * speed[i][k] * speed[i][k];
        }
        for (int j = i + 1; j < mass.length; j++) {
          sum -= mass[i] * mass[j] / Math.sqrt(square(i, j, 0) + square(i, j, 1) + square(i, j, 2));
        }
      }
      return sum;
    }
  }

  /** The most prefix reversals that any permutation of n needs until 0 comes first. */
  private static final class Flips {
    static int most(int n) {
      int[] deck = new int[n];
      Arrays.setAll(deck, i -> i);
      return permute(deck, n);
    }

    private static int permute(int[] deck, int n) {
      if (n == 1) {
        return flips(deck.clone());
      }
      int most = 0;
      for (int i = 0; i < n; i++) {
        most = Math.max(most, permute(deck, n - 1));
        swap(deck, n % 2 == 0 ? i : 0, n - 1);
      }
      return most;
    }

    private static int flips(int[] deck) {
      int count = 0;
      while (deck[0] != 0) {
        for (int low = 0, high = deck[0]; low < high; low++, high--) {
          swap(deck, low, high);
        }
        count++;
      }
      return count;
    }

    private static void swap(int[] deck, int i, int j) {
      int old = deck[i];
      deck[i] = deck[j];
      deck[j] = old;
    }
  }

  /** Builds and counts complete binary trees. */
  private static final class Trees {
    private record Node(Node left, Node right) {
      int size() {
        return left == null ? 1 : 1 + left.size() + right.size();
      }
    }

    static long count(int depth, int times) {
      long sum = 0;
      for (int i = 0; i < times; i++) {
        sum += grow(depth).size();
      }
      return sum;
    }

    private static Node grow(int depth) {
      return depth == 0 ? new Node(null, null) : new Node(grow(depth - 1), grow(depth - 1));
    }
  }

  /** Counts words that a small generator makes, in maps, lists, streams. */
  private static final class Words {
    static String report(int n) {
      Map<String, Integer> counts = new HashMap<>();
      ArrayDeque<String> recent = new ArrayDeque<>();
      int seed = 17;
      for (int i = 0; i < n; i++) {
        seed = seed * 1_103_515_245 + 12_345;
        String word = word(seed >>> 16);
        counts.merge(word, 1, Integer::sum);
        recent.addLast(word);
        if (recent.size() > 50) {
          recent.removeFirst();
        }
      }
      List<Map.Entry<String, Integer>> order = new ArrayList<>(counts.entrySet());
      order.sort(
          Map.Entry.<String, Integer>comparingByValue()
              .reversed()
              .thenComparing(Map.Entry.comparingByKey()));
      Map<Integer, Long> byLength =
          recent.stream()
              .collect(Collectors.groupingBy(String::length, TreeMap::new, Collectors.counting()));
      String longest =
          counts.keySet().stream()
              .max(Comparator.comparingInt(String::length).thenComparing(w -> w))
              .orElse("");
      return order.get(0) + " " + counts.size() + " " + byLength + " " + longest;
    }

    private static String word(int bits) {
      StringBuilder word = new StringBuilder();
      int rest = bits % 5000;
      do {
        word.append("bcdfghklmnprst".charAt(rest % 14)).append("aeiou".charAt(rest % 5));
        rest /= 14;
      } while (rest > 0);
      return word.toString();
    }
  }

  /** Interface calls with one, two and many receivers. */
  private static final class Shapes {
    private interface Shape {
      double area();

      default double weight(double density) {
        return density * area();
      }
    }

    private record Square(double side) implements Shape {
      public double area() {
        return side * side;
      }
    }

    private record Circle(double radius) implements Shape {
      public double area() {
        return 3 * radius * radius;
      }
    }

    private record Frame(Shape inner, double border) implements Shape {
      public double area() {
        return inner.area() + border;
      }
    }

    private abstract static class Polygon implements Shape {
      abstract int corners();

      public double area() {
        return corners() * 0.5;
      }
    }

    private static final class Triangle extends Polygon {
      int corners() {
        return 3;
      }
    }

    private static final class Hexagon extends Polygon {
      int corners() {
        return 6;
      }
    }

    static long total(int n) {
      List<Shape> shapes = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        shapes.add(shape(i));
      }
      double sum = 0;
      for (int i = 0; i < n; i++) {
        sum += shapes.get(i % 60).weight(i & 3);
        sum += shapes.get(i % 5 * 12).area();
      }
      return (long) sum;
    }

    private static Shape shape(int i) {
      return switch (i % 5) {
        case 0 -> new Square(i);
        case 1 -> new Circle(i);
        case 2 -> new Triangle();
        case 3 -> new Hexagon();
        default -> new Frame(shape(i - 1), i);
      };
    }
  }
}
