package io.jvmscope.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jvmscope.classfile.BasicBlocks;
import io.jvmscope.classfile.ClassFile;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every instruction of methods with probes is where the watcher is told that it is. */
final class MovedCodeTest {
  @ParameterizedTest
  @ValueSource(
      classes = {
        java.util.HashMap.class,
        java.util.Formatter.class,
        java.util.regex.Pattern.class,
        java.math.BigDecimal.class,
        java.lang.Character.UnicodeScript.class,
        java.util.concurrent.ConcurrentHashMap.class,
        java.util.stream.Collectors.class,
        ProbeTransformer.class,
        Session.class
      })
  void instructionsAreWhereTheyAreTold(Class<?> type) throws IOException {
    byte[] before = classFile(type);
    ClassLoader loader = MovedCodeTest.class.getClassLoader();
    ProbeTransformer transformer = new ProbeTransformer(List.of(probe(0), probe(1)));
    byte[] made = transformer.transform(null, loader, "test/Other", null, null, before);
    assertTrue(made != null, "no probe is in " + type);
    Map<String, BasicBlocks> was = blocks(before);
    Map<String, BasicBlocks> is = blocks(made);
    int compared = 0;
    for (List<String> told : transformer.messages) {
      if (told.get(0).equals("moved")) {
        String method = told.get(2) + told.get(3);
        compared += compare(was.get(method), is.get(method), told.get(5), method);
      }
    }
    assertTrue(compared > 100, "only " + compared);
    transformer.classes.forgetAll();
  }

  /** Compares each instruction with the one that is told; their number. */
  private static int compare(BasicBlocks was, BasicBlocks is, String spans, String method) {
    String[] pairs = spans.split(" ");
    for (int k = 0; k < was.instructionCount(); k++) {
      int old = was.offset(k);
      int at = -1;
      for (String pair : pairs) {
        int from = Integer.parseInt(pair.substring(pair.indexOf(':') + 1));
        if (from <= old) {
          at = Integer.parseInt(pair.substring(0, pair.indexOf(':'))) + old - from;
        }
      }
      assertEquals(was.opcode(k), is.opcode(is.instructionAt(at)), method + " at " + old);
    }
    return was.instructionCount();
  }

  private static Probe probe(int id) {
    Pattern any = Pattern.compile(".*");
    MethodPattern pattern = new MethodPattern(any, any, null);
    return new Probe(id, pattern, null, null, Literals.of(null), false, false);
  }

  private static Map<String, BasicBlocks> blocks(byte[] bytes) {
    ClassFile file = new ClassFile(bytes);
    Map<String, BasicBlocks> found = new HashMap<>();
    for (ClassFile.Method method : file.methods()) {
      if (method.code() != null) {
        found.put(method.name() + method.descriptor(), new BasicBlocks(file, method.code()));
      }
    }
    return found;
  }

  private static byte[] classFile(Class<?> type) throws IOException {
    String name = "/" + type.getName().replace('.', '/') + ".class";
    try (InputStream in = type.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }
}
