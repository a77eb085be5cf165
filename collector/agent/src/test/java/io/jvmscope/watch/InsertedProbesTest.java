package io.jvmscope.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Classes with probes, of which several may be for one method, as the VM takes them. */
final class InsertedProbesTest {
  private static final List<Expression> NO_OPERANDS = List.of();
  private static final String LONG_TEXT = "a text that no constant of the class is";

  /** Conditions that every method can have, and for how many of its invocations each holds. */
  private static final List<Expression> CONDITIONS = new ArrayList<>();

  static {
    CONDITIONS.add(null);
    CONDITIONS.add(leaf("true", ""));
    CONDITIONS.add(leaf("false", ""));
    CONDITIONS.add(part("==", leaf("text", LONG_TEXT), leaf("text", LONG_TEXT)));
    CONDITIONS.add(part(">", leaf("integer", "1234567"), leaf("real", "2.5e9")));
    CONDITIONS.add(
        part("and", part("<", leaf("real", "0.25"), leaf("integer", "99999")), leaf("true", "")));
  }

  private static final boolean[] HOLDS = {true, true, false, true, false, true};

  private static Expression leaf(String kind, String text) {
    return new Expression(kind, text, 1, 1, NO_OPERANDS);
  }

  private static Expression part(String kind, Expression... operands) {
    return new Expression(kind, "", 1, 1, List.of(operands));
  }

  /** The program; each of its methods is invoked once. */
  public static final class Work implements IntSupplier {
    private final int base;

    /** Branches before the other constructor's call, and handles an exception behind it. */
    public Work() {
      this(System.nanoTime() > 0 ? 2 : 3);
      try {
        Integer.parseInt("none");
      } catch (NumberFormatException e) {
        Thread.onSpinWait();
      }
    }

    Work(int base) {
      super();
      this.base = base;
    }

    @Override
    public int getAsInt() {
      int sum = 0;
      for (int k = 0; k < base; k++) {
        sum += k;
      }
      return sum + wide(1L, 2.0, this) + synchronizedly();
    }

    private static int wide(long first, double second, Object third) {
      return third == null ? (int) first : (int) second;
    }

    private static synchronized int synchronizedly() {
      try {
        throw new IllegalStateException();
      } catch (IllegalStateException e) {
        return 1;
      }
    }
  }

  private static Probe probe(int id, String type, Expression condition) {
    Pattern any = Pattern.compile(".*");
    MethodPattern pattern = new MethodPattern(Pattern.compile(Pattern.quote(type)), any, null);
    return new Probe(id, pattern, null, condition, Literals.of(condition), false, false);
  }

  private static byte[] classFile(Class<?> type) throws IOException {
    try (InputStream in =
        type.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class")) {
      return in.readAllBytes();
    }
  }

  private static Class<?> define(String name, byte[] file) throws ClassNotFoundException {
    ClassLoader loader =
        new ClassLoader(InsertedProbesTest.class.getClassLoader()) {
          @Override
          protected Class<?> loadClass(String wanted, boolean isResolved)
              throws ClassNotFoundException {
            return wanted.equals(name)
                ? defineClass(name, file, 0, file.length)
                : super.loadClass(wanted, isResolved);
          }
        };
    return Class.forName(name, true, loader);
  }

  /** Calls by probe: 5 methods of the program, each invoked once. */
  private static Map<Integer, Long> counted(List<Probe> probes) throws Exception {
    String name = Work.class.getName();
    ProbeTransformer transformer = new ProbeTransformer(probes);
    byte[] file = classFile(Work.class);
    ClassLoader loader = InsertedProbesTest.class.getClassLoader();
    byte[] made = transformer.transform(null, loader, name.replace('.', '/'), null, null, file);
    Map<String, Integer> probeOfMethod = new HashMap<>();
    Map<Integer, Long> counted = new HashMap<>();
    Ledger ledger =
        new Ledger(
            message -> {
              assertTrue(!message.get(0).equals("failure"), message.toString());
              if (message.get(0).equals("method")) {
                probeOfMethod.put(message.get(1), Integer.parseInt(message.get(2)));
              } else if (message.get(0).equals("time")) {
                int probe = probeOfMethod.get(message.get(3));
                counted.merge(probe, Long.parseLong(message.get(11)), Long::sum);
              }
            });
    ledger.begin(probes, transformer.messages);
    IntSupplier work = (IntSupplier) define(name, made).getConstructor().newInstance();
    assertEquals(4, work.getAsInt());
    ledger.tell();
    ledger.end();
    transformer.classes.forgetAll();
    return counted;
  }

  /** Every row of up to three probes for all methods, constructors too. */
  @Test
  void anyProbesMeetInAMethod() throws Exception {
    int n = CONDITIONS.size();
    for (int row = 0; row < n + n * n + n * n * n; row++) {
      int left = row;
      int length = 1;
      for (int many = n; left >= many; many *= n) {
        left -= many;
        length++;
      }
      List<Probe> probes = new ArrayList<>();
      Map<Integer, Long> expected = new HashMap<>();
      for (int id = 0; id < length; id++) {
        int chosen = left % n;
        left /= n;
        probes.add(probe(id, Work.class.getName(), CONDITIONS.get(chosen)));
        if (HOLDS[chosen]) {
          expected.put(id, 5L);
        }
      }
      assertEquals(expected, counted(probes), probes.toString());
    }
  }

  /** A method that has no room for a probe, and one that has. */
  private static byte[] withFullMethod(int length, int maxStack, int maxLocals) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V1_5, Opcodes.ACC_PUBLIC, "test/Long", null, "java/lang/Object", null);
    for (String name : new String[] {"full", "short"}) {
      int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC;
      MethodVisitor method = writer.visitMethod(access, name, "()V", null, null);
      boolean isFull = name.equals("full");
      method.visitCode();
      for (int k = 0; isFull && k < length; k++) {
        method.visitInsn(Opcodes.NOP);
      }
      for (int k = 0; k < 12; k++) { // each gets a call of its own
        method.visitInsn(Opcodes.RETURN);
      }
      method.visitMaxs(isFull ? maxStack : 0, isFull ? maxLocals : 0);
      method.visitEnd();
    }
    return writer.toByteArray();
  }

  @ParameterizedTest
  @CsvSource({"65500,0,0", "1,65535,0", "1,0,65535"})
  void aMethodThatWouldBecomeTooLargeIsLeftOutAlone(int length, int maxStack, int maxLocals)
      throws Exception {
    byte[] file = withFullMethod(length, maxStack, maxLocals);
    ProbeTransformer transformer = new ProbeTransformer(List.of(probe(0, "test.Long", null)));
    ClassLoader loader = InsertedProbesTest.class.getClassLoader();
    byte[] made = transformer.transform(null, loader, "test/Long", null, null, file);

    assertEquals(2, define("test.Long", made).getDeclaredMethods().length);
    List<List<String>> told = List.copyOf(transformer.messages);
    assertEquals(
        List.of("failure", "moved", "method", "class"),
        told.stream().map(each -> each.get(0)).toList());
    assertEquals("test.Long.full()V", told.get(0).get(1));
    assertEquals("short", told.get(1).get(2));
    assertEquals("short", told.get(2).get(4));
    transformer.classes.forgetAll();
  }

  @Test
  void nothingIsChangedOnceItIsClosed() throws Exception {
    ProbeTransformer transformer =
        new ProbeTransformer(List.of(probe(0, Work.class.getName(), null)));
    transformer.close();
    String name = Work.class.getName().replace('.', '/');
    ClassLoader loader = InsertedProbesTest.class.getClassLoader();
    assertNull(transformer.transform(null, loader, name, null, null, classFile(Work.class)));
    assertEquals(0, transformer.classes.nProbed());
  }

  @Test
  void aLoaderThatThrowsIsOneThatDoesNotSeeUs() {
    ClassLoader closed =
        new ClassLoader(null) {
          @Override
          protected Class<?> loadClass(String name, boolean isResolved) {
            throw new IllegalStateException("closed");
          }
        };
    assertEquals(
        "its class loader does not ask for classes of the boot loader",
        Refusals.of(closed, "app/Main"));
  }
}
