import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles the first n source files of a folder with the JDK's own compiler, in process. */
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
      List<String> options = new ArrayList<>(List.of("-proc:none", "-nowarn", "-implicit:none"));
      options.addAll(List.of("--release", "17", "-Xlint:none", "-XDsuppressNotes"));
      options.addAll(List.of("-sourcepath", sources.toString(), "-d", classes.toString()));
      Iterable<? extends JavaFileObject> units = files.getJavaFileObjectsFromPaths(some);
      if (!compiler.getTask(messages, files, null, options, null, units).call()) {
        throw new IllegalStateException(messages.toString());
      }
      // how many synthetic classes there are beside differs from one JDK to the next
      return "classes " + some.stream().filter(s -> isCompiled(sources, s, classes)).count();
    }
  }

  private static boolean isCompiled(Path sources, Path source, Path classes) {
    String name = sources.relativize(source).toString().replace(".java", ".class");
    return Files.exists(classes.resolve(name));
  }
}
