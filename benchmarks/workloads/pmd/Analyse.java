import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.sourceforge.pmd.PMDConfiguration;
import net.sourceforge.pmd.PmdAnalysis;
import net.sourceforge.pmd.reporting.Report;
import net.sourceforge.pmd.reporting.RuleViolation;

/** Analyses generated Java sources with a set of PMD's rules, in process and on one thread. */
public final class Analyse {
  public static void main(String[] args) throws Exception {
    try (Stream<Path> tree = Files.walk(Path.of(args[2]))) {
      List<Path> files =
          tree.filter(path -> path.toString().endsWith(".java"))
              .sorted()
              .limit(Iterations.size(args))
              .toList();
      Iterations.run(args, () -> analyse(files, args[3]));
    }
  }

  private static String analyse(List<Path> files, String rules) {
    PMDConfiguration configuration = new PMDConfiguration();
    configuration.setThreads(0);
    configuration.setIgnoreIncrementalAnalysis(true);
    configuration.addRuleSet(rules);
    try (PmdAnalysis analysis = PmdAnalysis.create(configuration)) {
      files.forEach(analysis.files()::addFile);
      return summary(analysis.performAnalysisAndCollectReport());
    }
  }

  private static String summary(Report report) {
    report.getProcessingErrors().stream()
        .findFirst()
        .ifPresent(error -> {
          throw new IllegalStateException(error.getFileId().getFileName(), error.getError());
        });
    Map<String, Integer> violations = new TreeMap<>();
    for (RuleViolation violation : report.getViolations()) {
      violations.merge(violation.getRule().getName(), 1, Integer::sum);
    }
    return "violations " + report.getViolations().size() + " of " + violations.size() + " rules "
        + Iterations.mix(1, violations);
  }
}
