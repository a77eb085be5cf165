import com.puppycrawl.tools.checkstyle.Checker;
import com.puppycrawl.tools.checkstyle.ConfigurationLoader;
import com.puppycrawl.tools.checkstyle.PropertiesExpander;
import com.puppycrawl.tools.checkstyle.api.AuditEvent;
import com.puppycrawl.tools.checkstyle.api.AuditListener;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Checks generated Java sources with Checkstyle and Sun's rules, in process. */
public final class Check {
  public static void main(String[] args) throws Exception {
    try (Stream<Path> tree = Files.walk(Path.of(args[2]))) {
      List<File> files =
          tree.filter(path -> path.toString().endsWith(".java"))
              .sorted()
              .limit(Iterations.size(args))
              .map(Path::toFile)
              .toList();
      Iterations.run(args, () -> check(files));
    }
  }

  private static String check(List<File> files) throws Exception {
    Map<String, Integer> violations = new TreeMap<>();
    Checker checker = new Checker();
    checker.setModuleClassLoader(Checker.class.getClassLoader());
    checker.configure(
        ConfigurationLoader.loadConfiguration(
            "/sun_checks.xml", new PropertiesExpander(new Properties())));
    checker.addListener(new Counter(violations));
    int errors = checker.process(files);
    checker.destroy();
    return "violations " + errors + " of " + violations.size() + " checks "
        + Iterations.mix(1, violations);
  }

  private record Counter(Map<String, Integer> violations) implements AuditListener {
    @Override
    public void addError(AuditEvent event) {
      String check = event.getSourceName();
      violations.merge(check.substring(check.lastIndexOf('.') + 1), 1, Integer::sum);
    }

    @Override
    public void addException(AuditEvent event, Throwable thrown) {
      throw new IllegalStateException(event.getFileName(), thrown);
    }

    @Override
    public void auditStarted(AuditEvent event) {}

    @Override
    public void auditFinished(AuditEvent event) {}

    @Override
    public void fileStarted(AuditEvent event) {}

    @Override
    public void fileFinished(AuditEvent event) {}
  }
}
