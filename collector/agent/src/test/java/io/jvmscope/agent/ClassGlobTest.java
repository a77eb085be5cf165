package io.jvmscope.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every short glob and name, against regular expressions, which the agent cannot use. */
final class ClassGlobTest {
  private static final String[] LETTERS = {"a", "/", "$", "\n", "\uD83D\uDE00"};

  private static List<String> words(int length, String... letters) {
    List<String> words = new ArrayList<>(List.of(""));
    for (int from = 0, k = 0; k < length; k++) {
      int to = words.size();
      for (; from < to; from++) {
        for (String letter : letters) {
          words.add(words.get(from) + letter);
        }
      }
    }
    return words;
  }

  @Test
  void matchesWhatTheRegularExpressionDoes() {
    List<String> names = words(4, LETTERS);
    for (String glob : words(4, "a", "$", "*", "?", "\uD83D\uDE00")) {
      String expression = Pattern.quote(glob).replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q");
      Pattern pattern = Pattern.compile(expression, Pattern.DOTALL);
      for (String name : names) {
        boolean expected = pattern.matcher(name).matches();
        assertEquals(expected, new ClassGlob(glob).matches(name), () -> glob + " " + name);
      }
    }
  }
}
