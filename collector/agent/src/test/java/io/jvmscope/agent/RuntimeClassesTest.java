package io.jvmscope.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.probe.RuntimeMethod;
import io.jvmscope.probe.Snippets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The list of the classes that go into java.base, against what the build compiled for it. */
final class RuntimeClassesTest {
  private static final Path COMPILED = Path.of("target/classes/runtime");

  private static Set<String> compiled() throws IOException {
    Set<String> names = new HashSet<>();
    try (Stream<Path> files = Files.walk(COMPILED)) {
      for (Path file : files.filter(p -> p.toString().endsWith(".class")).toList()) {
        names.add(new ClassFile(Files.readAllBytes(file)).name());
      }
    }
    return names;
  }

  @Test
  void namesAllThatIsCompiledButTheBridgeWhichIsGenerated() throws IOException {
    Set<String> expected = compiled();
    assertTrue(expected.remove(RuntimeClasses.BRIDGE));
    assertTrue(expected.remove(Snippets.CALLS));
    assertEquals(expected, new HashSet<>(RuntimeClasses.COMPILED));
  }

  @Test
  void knowsItsOwnFromTheJdksInTheSamePackage() throws IOException {
    for (String name : compiled()) {
      assertTrue(RuntimeClasses.isOwn(name), name);
    }
    assertFalse(RuntimeClasses.isOwn("jdk/internal/perf/PerfCounter"));
    assertFalse(RuntimeClasses.isOwn("java/lang/Object"));
  }

  @Test
  void objectHasOneMethodForEachEntryThatProbesShare() {
    Set<String> names = new HashSet<>();
    for (RuntimeMethod method : Calls.runtimeMethods()) {
      assertTrue(names.add(Calls.hiddenName(method) + method.descriptor()), method.toString());
    }
  }

  @Test
  void everyEntryOfInstrumentedCodeIsAPublicStaticMethod() throws IOException {
    Set<String> methods = new HashSet<>();
    for (String name : compiled()) {
      ClassFile file = new ClassFile(Files.readAllBytes(COMPILED.resolve(name + ".class")));
      for (ClassFile.Method method : file.methods()) {
        if (method.isStatic() && (method.access() & 1) != 0) {
          methods.add(name + "." + method.name() + method.descriptor());
        }
      }
    }
    for (RuntimeMethod method : Calls.runtimeMethods()) {
      assertTrue(methods.contains(method.toString()), method.toString());
    }
  }
}
