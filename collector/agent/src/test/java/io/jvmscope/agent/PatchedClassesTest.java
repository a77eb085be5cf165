package io.jvmscope.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jvmscope.agent.JdkImageClasses.Source;
import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.LeafMethods;
import io.jvmscope.probe.Probes;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What another agent is given of a class of a patch is told from what it may bring instead. */
final class PatchedClassesTest {
  @ParameterizedTest
  @CsvSource({
    "java.base, true",
    "java.base, false",
    "java.instrument, true",
    "java.instrument, false"
  })
  void areTheOnesThatCount(String module, boolean hasProbes) throws IOException {
    Probes probes = hasProbes ? Probes.of(Map.of("probes", Probes.names())) : Probes.NONE;
    Instrumenter instrumenter = new Instrumenter(LeafMethods.NONE, probes);
    FieldKeys keys = FieldKeys.none(true, false);
    Calls calls = module.equals("java.base") ? Calls.DIRECT : Calls.THROUGH_OBJECT;
    TreeSet<String> unknown = new TreeSet<>();
    int counting = 0;
    for (Source source : new JdkImageClasses().ofModule(module)) {
      ClassFile file = source.read();
      List<ClassEdit> edits = JdkEdits.of(file, calls, true, probes);
      Instrumenter.Result result =
          instrumenter.instrument(file, 1_000_000, true, calls, keys, edits);
      if (Exclusions.reason(file.name()) == null && file.hasCode()) {
        counting++;
        if (Transformer.comesFromPatch(file)) {
          unknown.add(file.name() + " of the image");
        }
        if (!Transformer.comesFromPatch(new ClassFile(result.bytes()))) {
          unknown.add(file.name() + " of the patch");
        }
      }
    }
    assertEquals(new TreeSet<String>(), unknown);
    assertTrue(counting > 2, () -> module + " has no code");
  }
}
