import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import languages.Work;

/** Searches a random sequence of n bases for patterns, and replaces some of them. */
final class Regex {
  private static final List<String> PATTERNS =
      List.of("gg[at]c", "a(?:c|g)+t", "tt.{2}gg", "(?:aca|tgt)[^c]*c", "[cg]{4,6}", "c+a*t|g$");

  private static String sequence(int n) {
    StringBuilder bases = new StringBuilder(n);
    int seed = 42;
    for (int i = 0; i < n; i++) {
      seed = (seed * 3877 + 29_573) % 139_968;
      bases.append("acgt".charAt(seed * 4 / 139_968));
    }
    return bases.toString();
  }

  private static String search(String sequence) {
    String counts =
        PATTERNS.stream()
            .map(pattern -> Pattern.compile(pattern).matcher(sequence).results().count())
            .map(String::valueOf)
            .collect(Collectors.joining(" "));
    String replaced = sequence.replaceAll("t[ac]+g", "<>").replaceAll("([ag])<>", "$1|$1");
    return counts + " " + replaced.length();
  }

  public static void main(String[] args) {
    Work.run("regex", args[0], n -> search(sequence(n)));
  }
}
