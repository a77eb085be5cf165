package demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Runs a Tally script: {@code java demo.Main SCRIPT [ARGUMENT...]}. */
public final class Main {
  private Main() {}

  /** Exits with 1, and a line on standard error, if the script fails. */
  public static void main(String[] args) throws IOException {
    try {
      run(Files.readString(Path.of(args[0])), Arrays.asList(args).subList(1, args.length));
    } catch (Failure failure) {
      System.err.println(args[0] + ": " + failure.getMessage());
      System.exit(1);
    }
  }

  private static void run(String source, List<String> arguments) {
    Scope global = new Scope(null);
    Builtins.define(global, arguments);
    List<Statement> program = new Parser(new Scanner(source).scan(), global).program();
    program.forEach(statement -> statement.run(global));
  }
}
