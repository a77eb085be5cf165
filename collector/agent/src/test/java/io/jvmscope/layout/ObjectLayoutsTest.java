package io.jvmscope.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectLayoutsTest {
  private static final String CALL_SITE = "java/lang/invoke/CallSite";
  private static final String CONSTANT = "java/lang/invoke/ConstantCallSite";

  /**
   * With compressed references: a header of 12 bytes, the target, and either a context beside it or
   * two longs for the VM; then a truth value. Bare, 21.0.13 says 40 and 21.0.8 says 24.
   */
  @ParameterizedTest
  @CsvSource({"17, LL, 24", "21, LL, 24", "21, L, 40", "25, L, 40"})
  void aCallSiteWithoutContextHasItsDependencies(int release, String fields, int bytes) {
    HeapModel heap = new HeapModel(release, 8, 16, 4, 128, false, false);
    ObjectLayouts layouts = new ObjectLayouts(3, heap);
    layouts.define(0, "java/lang/Object", null, "", -1, true);
    layouts.define(1, CALL_SITE, "java/lang/Object", fields, 0, true);
    layouts.define(2, CONSTANT, CALL_SITE, "Z", 1, true);
    assertEquals(bytes, layouts.instanceBytes(2));
  }
}
