import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;

/** Compiles a Kotlin file with the Kotlin compiler, in process and on one thread. */
public final class CompileKotlin {
  public static void main(String[] args) throws Exception {
    int times = Iterations.size(args);
    Iterations.run(args, () -> compile(args[2], Path.of(args[3]), args[4], times));
    System.exit(0);
  }

  private static String compile(String source, Path classes, String library, int times)
      throws Exception {
    for (int i = 0; i < times; i++) {
      String[] options = {
        "-no-stdlib", "-no-reflect", "-nowarn", "-Xbackend-threads=1", "-jvm-target", "17",
        "-classpath", library, "-d", classes.toString(), source
      };
      ExitCode code = new K2JVMCompiler().exec(System.err, options);
      if (code != ExitCode.OK) {
        throw new IllegalStateException(code.toString());
      }
    }
    try (Stream<Path> tree = Files.walk(classes)) {
      return "classes " + tree.filter(p -> p.toString().endsWith(".class")).count();
    }
  }
}
