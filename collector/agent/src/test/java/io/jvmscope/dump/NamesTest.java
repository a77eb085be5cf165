package io.jvmscope.dump;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jvmscope.tables.Json;
import org.junit.jupiter.api.Test;

/** Canonical names, parameter counts and JSON. */
final class NamesTest {
  @Test
  void stripsCountersOfLambdas() {
    assertEquals("a/Main$$Lambda", CanonicalOrder.baseName("a/Main$$Lambda$14"));
    assertEquals("a/Main$$Lambda", CanonicalOrder.baseName("a/Main$$Lambda"));
    assertEquals("a/Main$Inner$1", CanonicalOrder.baseName("a/Main$Inner$1"));
  }

  @Test
  void countsParameters() {
    assertEquals(new ParameterCounts(0, 0, 0), ParameterCounts.of("()V"));
    assertEquals(new ParameterCounts(5, 2, 3), ParameterCounts.of("(IJ[[DLa/B;ZFDBS[La/B;)V"));
  }

  @Test
  void escapesJson() {
    assertEquals("\"a\\\"\\\\\\u000a\\ud800\"", Json.text("a\"\\\n\ud800"));
    assertEquals("null", Json.text(null));
  }
}
