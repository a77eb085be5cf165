package io.jvmscope.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jvmscope.compiler.SnippetCompiler.Refused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the compiler of snippets takes, and where it says that it does not. */
final class SnippetCompilerTest {
  private static final String HEAD =
      "import io.jvmscope.snippet.*;\nclass P {\n  static final Counter N = Counter.of(\"t.n_a\");\n";

  /** The twelfth line of the class adds. */
  private static final String KEYS =
      """
      static final Counter K = Counter.of("k.n_k");
      static final Counter S = Counter.of("k.n_s");
      static final Counter[] ALL = {N, K};
      static Counter of(int i) { return ALL[i]; }
      @Before(Point.CALL)
      static void s(Context c, @Receiver Object object, @Argument String text) {
        CharSequence sequence = text;
        Number number = 1; Comparable<?> comparable = 1;
        %s;
      }
      """;

  @TempDir Path directory;

  /** Compiles a class whose fourth line is the first of a text. */
  private List<String> compile(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("P.java"), HEAD + text + "\n}\n");
    return SnippetCompiler.compile(
        ToolProvider.getSystemJavaCompiler(),
        directory.resolve("out"),
        "target/classes",
        CounterColumn.parse(
            "t.n_a::,t.n_b::,k.n_k:ilT:magnitude;size;text,k.n_s:sCb:place;type;is_it"),
        List.of(file));
  }

  @Test
  void aSnippetIsOneLine() throws IOException {
    List<String> lines =
        compile(
            """
            @Before(value = Point.CALL, scope = "a/B.*", guard = "g")
            static void s(Context c, @Receiver String r, @Argument long a, @Index int i,
                @Argument(2) int[] two, @Place int p, @Static(Fact.TARGET) String t) {}
            static boolean g(Site site) { return site.isJdk(); }
            """);
    String parameters =
        "CONTEXT:Lio/jvmscope/snippet/Context; RECEIVER:Ljava/lang/String; ARGUMENT:J:-1 INDEX:I"
            + " ARGUMENT:[I:2 PLACE:I STATIC:Ljava/lang/String;:TARGET";
    String descriptor = "(Lio/jvmscope/snippet/Context;Ljava/lang/String;JI[IILjava/lang/String;)V";
    String expected =
        String.join("\t", "snippet", "P", "s", descriptor, "before", "CALL", "a/B.*", "g");
    assertEquals(List.of(expected + "\t" + parameters), lines);
  }

  @Test
  void ordinaryCodeMayBeCalled() throws IOException {
    List<String> lines =
        compile(
            """
            static final java.util.Map<String, Long> SEEN = new java.util.concurrent.ConcurrentHashMap<>();
            static final ContextState MOST = new ContextState();
            record Pair(int a, String b) {}
            @After(Point.CALL)
            static void s(Context c, @Result String text) {
              String name = Thread.currentThread().getName() + text.getClass().getName();
              if (System.nanoTime() < 0 || new Pair(1, name).equals(null)) {
                throw new java.io.UncheckedIOException(new java.io.IOException("no"));
              }
              SEEN.put(name, MOST.get(c));
            }
            @AtEnd
            static void end(Context c) { N.add(c, MOST.get(c)); }
            @AtEnd(Each.THREAD)
            static void ended() { }
            """);
    assertEquals(3, lines.size());
    String end = "snippet\tP\tend\t(Lio/jvmscope/snippet/Context;)V\tatend\tCONTEXT\t*\t\t";
    assertEquals(end + "CONTEXT:Lio/jvmscope/snippet/Context;", lines.get(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "N.add(c, 1)",
        "K.add(c, 1, 1, 2, null)",
        "K.add(c, 1, 'c', (byte) 1, \"a\")",
        "K.add(c, 1, 1L, (short) 2, text + \"a\")",
        "K.add(c, 1, object, object, sequence)",
        "K.add(c, 1, new Object[0])",
        "K.add(c, 1, new String[] {text})",
        "P.K.add(c, text.length(), Integer.valueOf(1), Long.MAX_VALUE, (String) null)",
        "S.add(c, 1, 4, object.getClass(), true)",
        "S.add(c, 1, 4, null, Boolean.FALSE)",
        "S.add(c, 1, number, object, comparable)",
        "of(0).add(c, 1, 2)",
      })
  void keysThatFitAreTaken(String call) throws IOException {
    assertEquals(1, compile(KEYS.formatted(call)).size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "t.n_a: expected no key; found 1 | N.add(c, 1, 2)",
        "k.n_k: expected 3 keys, magnitude, size, text; found 2 | K.add(c, 1, 1, 2)",
        "k.n_k: expected 3 keys, magnitude, size, text; found 4 | K.add(c, 1, 1, 2, text, 4)",
        "k.n_k: expected 3 keys, magnitude, size, text; found 1 | K.add(c, 1, null)",
        "k.n_k: magnitude is a whole number, found null | K.add(c, 1, null, 1, text)",
        "k.n_k: magnitude is a whole number, found double | K.add(c, 1, 1.0, 1, text)",
        "k.n_k: size is a whole number, found java.lang.String | K.add(c, 1, 1, text, text)",
        "k.n_k: text is a String, found int | K.add(c, 1, 1, 2, 3)",
        "k.n_k: text is a String, found java.lang.StringBuilder | K.add(c, 1, 1, 2, new StringBuilder())",
        "k.n_k: text is a String, found java.lang.Class | K.add(c, 1, 1, 2, object.getClass())",
        "k.n_s: place is a place, an int, found long | S.add(c, 1, 1L, null, true)",
        "k.n_s: place is a place, an int, found null | S.add(c, 1, null, null, true)",
        "k.n_s: type is a Class, found java.lang.String | S.add(c, 1, 1, text, true)",
        "k.n_s: is_it is a boolean, found int | S.add(c, 1, 1, null, 1)",
        "k.n_s: is_it is a boolean, found int[] | S.add(c, 1, 1, null, new int[1])",
      })
  void keysThatDoNotFitAreRefused(String message, String call) {
    String found = assertThrows(Refused.class, () -> compile(KEYS.formatted(call))).getMessage();
    assertTrue(found.contains("P.java:12: " + message), found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "4 | ';' expected | @Before(Point.BODY) static void s() { int i = 1 }",
        "4 | cannot find symbol | @Befor(Point.BODY) static void s() {}",
        "4 | cannot find symbol | @Before(Point.LOOP) static void s() {}",
        "4 | is not static | @Before(Point.BODY) void s() {}",
        "4 | is private | @Before(Point.BODY) private static void s() {}",
        "4 | returns nothing | @Before(Point.BODY) static int s() { return 1; }",
        "1 | no snippet | static void s() {}",
        "4 | expected a Context | @Before(Point.BODY) static void s(int n) {}",
        "4 | two annotations | @Before(Point.CALL) static void s(@Receiver @Argument(0) int n) {}",
        "4 | there is no @Result before BODY | @Before(Point.BODY) static void s(@Result int n) {}",
        "4 | there is no @Place before BODY | @Before(Point.BODY) static void s(@Place int n) {}",
        "4 | there is no @Receiver after BODY | @After(Point.BODY) static void s(@Receiver Object o) {}",
        "4 | not offered at HANDLER | @After(Point.HANDLER) static void s() {}",
        "4 | not offered at HANDLER; @Before is | @AfterThrowing(Point.HANDLER) static void s() {}",
        "4 | there is no @Receiver after throwing at CALL | @AfterThrowing(Point.CALL) static void s(@Receiver Object o) {}",
        "4 | there is no @Static at the end | @AtEnd static void s(@Static(Fact.CLASS) String c) {}",
        "4 | there is no @Place at the end | @AtEnd static void s(@Place int p) {}",
        "4 | a state is a constant | static ThreadState state = new ThreadState();",
        "4 | a state is a constant | static final ContextState[] ALL = {new ContextState()};",
        "4 | @Place is of the type int, found long | @Before(Point.CALL) static void s(@Place long n) {}",
        "4 | @Thrown is of the type | @AfterThrowing(Point.BODY) static void s(@Thrown Object o) {}",
        "4 | each @Argument | @Before(Point.BODY) static void s(@Argument int a, @Argument int b) {}",
        "4 | a number from 0 on, or none, found -3 | @Before(Point.BODY) static void s(@Argument(-3) int a) {}",
        "4 | none without a number | @Before(Point.BODY) static void s(@Argument(0) int a, @Index int b) {}",
        "4 | the scope \"x\" | @Before(value = Point.BODY, scope = \"x\") static void s() {}",
        "4 | in JVM form | @Before(value = Point.BODY, scope = \"java.util.List.get\") static void s() {}",
        "4 | in JVM form | @Before(value = Point.BODY, scope = \" a/B.f\") static void s() {}",
        "4 | in JVM form | @Before(value = Point.BODY, scope = \"a/B.f\\t\") static void s() {}",
        "4 | the guard \"g\" | @Before(value = Point.BODY, guard = \"g\") static void s() {}",
        "4 | counts in \"t.n_c\" | static final Counter C = Counter.of(\"t.n_c\");",
        "4 | package java.sql is not visible | static java.sql.Date date;",
        "4 | does not use java.lang.System.exit: files | @Before(Point.BODY) static void s() { System.exit(1); }",
        "4 | does not use java.lang.System.out: files | @Before(Point.BODY) static void s() { System.out.println(); }",
        "4 | does not use new java.lang.Thread: threads | @Before(Point.BODY) static void s() { new Thread().start(); }",
        "4 | does not use java.lang.Thread.sleep | @Before(Point.BODY) static void s() throws Exception { Thread.sleep(9); }",
        "4 | java.util.concurrent.locks.ReentrantLock | static final Object L = new java.util.concurrent.locks.ReentrantLock();",
        "4 | java.util.concurrent.Executors | static final Object E = java.util.concurrent.Executors.newCachedThreadPool();",
        "4 | does not use java.lang.Object.wait | @Before(Point.BODY) static void s() throws Exception { \"\".wait(); }",
        "4 | does not use java.lang.Object.hashCode | @Before(Point.CALL) static void s(@Receiver Object o) { o.hashCode(); }",
        "4 | does not use java.lang.Class.forName | @Before(Point.BODY) static void s() throws Exception { Class.forName(\"a\"); }",
        "4 | does not use new java.io.FileInputStream | @Before(Point.BODY) static void s() throws Exception { new java.io.FileInputStream(\"a\"); }",
        "4 | does not use java.nio.file.Path.of | @Before(Point.BODY) static void s() { java.nio.file.Path.of(\"a\"); }",
        "4 | use a ThreadState | static final ThreadLocal<String> T = new ThreadLocal<>();",
        "4 | has no lambdas | @Before(Point.BODY) static void s() { Runnable r = () -> {}; }",
      })
  void whatIsWrongIsSaidWithItsLine(int line, String message, String text) {
    String found = assertThrows(Refused.class, () -> compile("  " + text)).getMessage();
    assertTrue(found.contains("P.java:" + line + ": ") && found.contains(message), found);
    assertEquals(1, found.lines().count(), found);
  }
}
