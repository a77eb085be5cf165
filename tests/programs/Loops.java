import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** Loops of every shape, and collections: a small program like many real ones. */
public final class Loops {
  private static int primes(int limit) {
    boolean[] composite = new boolean[limit + 1];
    int count = 0;
    for (int i = 2; i <= limit; i++) {
      if (composite[i]) {
        continue; // expect: executions=74
      }
      count++; // expect: executions=25
      for (int j = i * i; j <= limit; j += i) {
        composite[j] = true; // expect: executions=104
      }
    }
    return count;
  }

  private static int collatz(int n) {
    int steps = 0;
    do {
      n = n % 2 == 0 ? n / 2 : 3 * n + 1; // expect: executions=111
      steps++;
    } while (n != 1);
    return steps; // expect: executions=1
  }

  private static int pairs(int n) {
    int found = 0;
    search:
    for (int i = 0; ; i++) {
      for (int j = i; j < n; j++) {
        if (i * j == 12) {
          found++; // expect: executions=2
          continue search;
        }
        if (i > 5) {
          break search; // expect: executions=1
        }
      }
    }
    return found;
  }

  private static int conditions(int a, int b, int c) { // expect: calls=8
    int r = 0;
    if (a > 0 && (b > 0 || c > 0)) {
      r += 1; // expect: executions=3
    }
    if (a > 0 || b > 0 && c > 0) {
      r += 2; // expect: executions=5
    }
    if (!(a > 0 ^ b > 0)) {
      r += 4; // expect: executions=4
    }
    return a > b ? b > c ? r : r + 8 : r + 16;
  }

  private static Map<Character, Integer> letters(String s) {
    Map<Character, Integer> counts = new HashMap<>();
    for (char c : s.toCharArray()) {
      counts.merge(c, 1, Integer::sum); // expect: executions=11
    }
    return counts;
  }

  private static List<Integer> breadthFirst(Map<Integer, List<Integer>> edges, int start) {
    List<Integer> order = new ArrayList<>();
    Deque<Integer> queue = new ArrayDeque<>();
    queue.add(start);
    while (!queue.isEmpty()) {
      int node = queue.remove(); // expect: executions=7
      if (order.contains(node)) {
        continue; // expect: executions=2
      }
      order.add(node); // expect: executions=5
      queue.addAll(edges.getOrDefault(node, List.of()));
    }
    return order;
  }

  public static void main(String[] args) {
    System.out.println(primes(100));
    System.out.println(collatz(27));
    System.out.println(pairs(7));
    int sum = 0;
    for (int bits = 0; bits < 8; bits++) {
      sum = sum * 5 + conditions(bits & 1, bits & 2, bits & 4);
    }
    System.out.println(sum);
    System.out.println(letters("mississippi"));
    System.out.println(
        breadthFirst(
            Map.of(1, List.of(2, 3), 2, List.of(4), 3, List.of(4, 5), 4, List.of(1)), 1));
    PriorityQueue<Integer> heap = new PriorityQueue<>(Collections.reverseOrder());
    Collections.addAll(heap, 5, 3, 8, 1, 9, 2);
    StringBuilder text = new StringBuilder();
    while (!heap.isEmpty()) {
      text.append(heap.poll()).append(' '); // expect: executions=6
    }
    System.out.println(text);
  }
}
