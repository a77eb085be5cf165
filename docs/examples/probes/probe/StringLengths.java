import io.jvmscope.snippet.Argument;
import io.jvmscope.snippet.Before;
import io.jvmscope.snippet.Context;
import io.jvmscope.snippet.Counter;
import io.jvmscope.snippet.Index;
import io.jvmscope.snippet.Place;
import io.jvmscope.snippet.Point;
import io.jvmscope.snippet.Site;

/** Counts the strings that the program's own calls pass. */
final class StringLengths {
  static final Counter STRINGS = Counter.of("string_length.n_strings");
  static final Counter CHARS = Counter.of("string_length.n_chars");

  @Before(value = Point.CALL, guard = "isProgram")
  static void pass(
      Context context, @Place int call, @Argument String text, @Index int parameter) {
    if (text != null) {
      STRINGS.add(context, 1, call, parameter);
      CHARS.add(context, text.length(), call, parameter);
    }
  }

  static boolean isProgram(Site site) {
    return !site.isJdk();
  }
}
