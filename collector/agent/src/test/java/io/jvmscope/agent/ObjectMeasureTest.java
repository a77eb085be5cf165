package io.jvmscope.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jvmscope.layout.HeapModel;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectMeasureTest {
  private int questions;

  /** The VM compiles the question after some 200, which changes the answer for the program. */
  @ParameterizedTest
  @CsvSource({"8,12,4", "8,16,4", "8,16,8", "8,20,8", "8,24,8", "16,16,4", "16,20,8", "256,24,4"})
  void asksLittle(int alignment, int arrayBase, int referenceBytes) {
    HeapModel heap = ObjectMeasure.measure(vm(alignment, arrayBase, referenceBytes), new String[0]);

    assertEquals(alignment, heap.alignment());
    assertEquals(arrayBase, heap.arrayBase());
    assertEquals(referenceBytes, heap.referenceBytes());
    assertTrue(questions < 16, () -> questions + " questions");
  }

  private Instrumentation vm(int alignment, int arrayBase, int referenceBytes) {
    return (Instrumentation)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Instrumentation.class},
            (proxy, method, arguments) -> {
              questions++;
              long bytes =
                  arguments[0] instanceof byte[] array
                      ? arrayBase + array.length
                      : arrayBase + (long) referenceBytes * ((Object[]) arguments[0]).length;
              return (bytes + alignment - 1) / alignment * alignment;
            });
  }
}
