import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import languages.Work;

/** Counts the substrings of a random sequence of n bases: all short ones, and three long ones. */
final class KNucleotide {
  private static final String[] LONG = {"GGT", "GGTA", "GGTATT"};

  private static String sequence(int n) {
    StringBuilder bases = new StringBuilder(n);
    int seed = 42;
    for (int i = 0; i < n; i++) {
      seed = (seed * 3877 + 29_573) % 139_968;
      bases.append("ACGT".charAt(seed * 4 / 139_968));
    }
    return bases.toString();
  }

  private static Map<String, Integer> counts(String sequence, int length) {
    Map<String, Integer> counts = new HashMap<>();
    for (int i = 0; i + length <= sequence.length(); i++) {
      counts.merge(sequence.substring(i, i + length), 1, Integer::sum);
    }
    return counts;
  }

  private static String report(String sequence) {
    List<String> parts = new ArrayList<>();
    for (int length = 1; length <= 2; length++) {
      counts(sequence, length).entrySet().stream()
          .sorted(
              Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                  .thenComparing(Map.Entry.comparingByKey()))
          .forEach(entry -> parts.add(entry.getKey() + "=" + entry.getValue()));
    }
    for (String substring : LONG) {
      int count = counts(sequence, substring.length()).getOrDefault(substring, 0);
      parts.add(substring + "=" + count);
    }
    return String.join(" ", parts);
  }

  public static void main(String[] args) {
    Work.run("knucleotide", args[0], n -> report(sequence(n)));
  }
}
