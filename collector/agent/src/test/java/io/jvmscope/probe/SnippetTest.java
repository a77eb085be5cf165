package io.jvmscope.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which methods a snippet's scope has; other languages have names that Java does not. */
final class SnippetTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          app/Sums.sum            | sum       | (I)I | true
          app/Sums.sum            | sum (all) | (I)I | false
          app/Sums.sum*           | sum (all) | (I)I | true
          app/Sums.sum (all)      | sum (all) | (I)I | true
          app/Sums.sum (all)      | sum       | (I)I | false
          app/Sums.sum (all)(I)I  | sum (all) | (I)I | true
          app/Sums.sum (all)(I)J  | sum (all) | (I)I | false
          app/Sums.sum (all)*     | sum (all) | (I)I | true
          app/Sums.* (all)        | sum (all) | (I)I | true
          app/Sums.sum(I)*        | sum       | (I)I | true
          app/Sums.sum(*          | sum (all) | (I)I | false
          *.*(I)I                 | sum (all) | (I)I | true
          *                       | sum (all) | (I)I | true
          """)
  void scopeHasMethods(String scope, String name, String descriptor, boolean isCovered) {
    String[] fields = "snippet\tP\ts\t()V\tbefore\tBODY\tSCOPE\t\t".split("\t", -1);
    fields[6] = scope;

    Snippet snippet = Snippet.of(0, fields);

    assertEquals(isCovered, snippet.covers("app/Sums", name, descriptor));
  }
}
