package io.jvmscope.compiler;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles the Java files of a user's own probe and says what they contain:
 *
 * <pre>java -cp jvmscope-agent.jar io.jvmscope.compiler.SnippetCompiler OUT JAR COUNTERS FILE…
 * </pre>
 *
 * COUNTERS are the columns of counts, as {@link CounterColumn#parse} reads them. Class files go
 * into OUT; standard output has a line for each snippet, as {@code probe.Snippet} reads it. Status
 * 1: standard output has what is wrong, {@code FILE:LINE: message}. It runs on a JDK with a
 * compiler.
 */
public final class SnippetCompiler {
  private static final int WRONG = 1;

  private SnippetCompiler() {}

  public static void main(String[] arguments) throws IOException {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Map<String, CounterColumn> counters = CounterColumn.parse(arguments[2]);
    List<Path> files = new ArrayList<>();
    for (int k = 3; k < arguments.length; k++) {
      files.add(Path.of(arguments[k]));
    }
    try {
      Path classes = Path.of(arguments[0]);
      compile(compiler, classes, arguments[1], counters, files).forEach(out::println);
    } catch (Refused e) {
      out.println(e.getMessage());
      out.flush();
      System.exit(WRONG);
    }
  }

  /** Compiles files; a line for each snippet. {@link Refused}: something is wrong with them. */
  static List<String> compile(
      JavaCompiler compiler,
      Path out,
      String jar,
      Map<String, CounterColumn> counters,
      List<Path> files)
      throws IOException {
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    try (StandardJavaFileManager manager =
        compiler.getStandardFileManager(found, Locale.ROOT, StandardCharsets.UTF_8)) {
      List<String> options =
          List.of(
              "--release",
              "17",
              "--limit-modules",
              "java.base",
              "-proc:none",
              "-g",
              "-parameters",
              "-XDstringConcat=inline",
              "-cp",
              jar,
              "-d",
              Files.createDirectories(out).toString());
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, manager, found, options, null, manager.getJavaFileObjectsFromPaths(files));
      List<TypeElement> types = new ArrayList<>();
      SourceChecks checks = new SourceChecks(task, counters, task.parse());
      task.analyze()
          .forEach(
              each -> {
                if (each instanceof TypeElement type) {
                  types.add(type);
                }
              });
      refuseErrors(found);
      List<String> lines = checks.check(types);
      task.generate();
      refuseErrors(found);
      ClassChecks.check(out, files);
      if (lines.isEmpty()) {
        throw new Refused(
            files.get(0) + ":1: no method has @Before, @After or @AfterThrowing: no snippet");
      }
      return lines;
    }
  }

  private static void refuseErrors(DiagnosticCollector<JavaFileObject> found) {
    for (Diagnostic<? extends JavaFileObject> each : found.getDiagnostics()) {
      if (each.getKind() == Diagnostic.Kind.ERROR) {
        String place =
            each.getSource() == null
                ? ""
                : Path.of(each.getSource().toUri()) + ":" + each.getLineNumber() + ": ";
        throw new Refused(place + each.getMessage(Locale.ROOT).replaceAll("\\s*\\R\\s*", "; "));
      }
    }
  }

  /** The probe is wrong; the message says where and how. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(String message) {
      super(message);
    }
  }
}
