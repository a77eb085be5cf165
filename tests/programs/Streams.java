import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Sequential streams: laziness and short-circuiting decide how often a lambda runs. */
public final class Streams {
  private static boolean isOdd(int n) { // expect: calls=10
    return n % 2 == 1;
  }

  private static int slow(int n) { // expect: calls=10
    return n * 10;
  }

  private static String initial(String s) { // expect: calls=5
    return s.substring(0, 1);
  }

  public static void main(String[] args) {
    System.out.println(
        IntStream.rangeClosed(1, 10)
            .filter(Streams::isOdd)
            .sum());
    System.out.println(
        Stream.of(1, 2, 3, 4, 5, 6)
            .map(
                n -> {
                  return slow(n); // expect: executions=4
                })
            .filter(
                n -> {
                  return n > 30; // expect: executions=4
                })
            .findFirst()
            .orElse(-1));
    Map<String, List<String>> groups =
        Stream.of("ant", "bee", "ape", "bat", "cow")
            .collect(Collectors.groupingBy(Streams::initial, TreeMap::new, Collectors.toList()));
    System.out.println(groups);
    Stream<Integer> unused =
        Stream.of(1, 2)
            .map(
                n -> {
                  return slow(n); // expect: executions=0
                });
    System.out.println(unused.isParallel());
    System.out.println(
        Stream.iterate(1, n -> 2 * n)
            .limit(8)
            .reduce(
                0,
                (a, b) -> {
                  return a + b; // expect: executions=8
                }));
    System.out.println(
        Stream.of("pear", "fig", "apple")
            .sorted(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()))
            .collect(Collectors.joining(",")));
    System.out.println(
        IntStream.range(0, 4)
            .boxed()
            .flatMap(
                n -> {
                  return IntStream.range(0, n).boxed(); // expect: executions=4
                })
            .peek(
                n -> {
                  slow(0 * n + 0 * args.length); // expect: executions=6
                })
            .count());
  }
}
