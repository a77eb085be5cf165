import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Compiles a Scala file with the Scala 3 compiler, in process. */
public final class CompileScala {
  public static void main(String[] args) throws Exception {
    int times = Iterations.size(args);
    Iterations.run(args, () -> compile(args[2], Path.of(args[3]), args[4], times));
    System.exit(0);
  }

  private static String compile(String source, Path classes, String library, int times)
      throws Exception {
    for (int i = 0; i < times; i++) {
      String[] options = {
        "-classpath", library, "-color", "never", "-d", classes.toString(), source
      };
      if (dotty.tools.dotc.Main.process(options).hasErrors()) {
        throw new IllegalStateException("the compiler reported errors");
      }
    }
    try (Stream<Path> tree = Files.walk(classes)) {
      return "classes " + tree.filter(p -> p.toString().endsWith(".class")).count();
    }
  }
}
