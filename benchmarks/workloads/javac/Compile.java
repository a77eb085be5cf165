import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles the first n generated source files with the JDK's own compiler, in process. */
public final class Compile {
  public static void main(String[] args) throws Exception {
    Path sources = Path.of(args[2]);
    Path classes = Path.of(args[3]);
    Iterations.run(args, () -> compile(sources, classes, Iterations.size(args)));
  }

  private static String compile(Path sources, Path classes, int n) throws IOException {
    Files.createDirectories(classes);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        Stream<Path> tree = Files.walk(sources)) {
      List<Path> some = tree.filter(p -> p.toString().endsWith(".java")).sorted().limit(n).toList();
      List<String> options = List.of("-proc:none", "--release", "17", "-d", classes.toString());
      boolean good =
          compiler.getTask(messages, files, null, options, null, files.getJavaFileObjectsFromPaths(some)).call();
      if (!good || some.size() < n) {
        throw new IllegalStateException(some.size() + " files\n" + messages);
      }
    }
    try (Stream<Path> written = Files.walk(classes)) {
      // how many synthetic classes there are beside differs from one JDK to the next
      return "classes " + written.map(Path::toString).filter(p -> p.endsWith(".class") && !p.contains("$")).count();
    }
  }
}
