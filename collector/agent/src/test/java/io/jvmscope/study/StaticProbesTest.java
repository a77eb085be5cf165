package io.jvmscope.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Counts and samples of a class with static probes, against calls that are counted by hand. */
final class StaticProbesTest {
  private static final StudiedMethods METHODS = new StudiedMethods();
  private static Callable<?> work;

  /** The program; each method's calls in one {@link #call} stand beside it. */
  public static final class Work implements Callable<Integer> {
    private final int base;

    /** Calls: none here, since one object is made before. */
    public Work() {
      this(System.nanoTime() > 0 ? 1 : 2); // a branch before the other constructor's call
    }

    Work(int base) {
      super();
      this.base = base;
    }

    /** Calls: 1. */
    @Override
    public Integer call() {
      int sum = 0;
      for (int k = 0; k < 300; k++) {
        sum += leaf(k, 1L);
      }
      sum += depth(50);
      for (int k = 0; k < 7; k++) {
        try {
          sum += failing(k);
        } catch (IllegalStateException e) {
          sum++;
        }
      }
      swallow(sum);
      return overflow() + new Work(3).base + sum;
    }

    /** Calls: 300. */
    private int leaf(int number, long wide) {
      return (int) (number % 2 == 0 ? wide : base);
    }

    /** Calls: 1, since the others are inside it. */
    private int depth(int left) {
      return left == 0 ? 0 : 1 + depth(left - 1);
    }

    /** Calls: 7, of which 4 throw. */
    private static int failing(int number) {
      if (number % 2 == 0) {
        throw new IllegalStateException();
      }
      return number;
    }

    /** Calls: 1; its own handler is before the probe's. */
    private static synchronized double swallow(double number) {
      try {
        return number / Integer.parseInt("none");
      } catch (NumberFormatException e) {
        return 0;
      } finally {
        failing(1); // one more call of that
      }
    }

    /** Calls: 1; the stack overflows in it, and it is called no other way. */
    private static int overflow() {
      try {
        return endless(0);
      } catch (StackOverflowError e) {
        return 0;
      }
    }

    private static int endless(int depth) {
      return endless(depth + 1) + 1;
    }
  }

  @BeforeAll
  static void load() throws Exception {
    Buffers.allow(new Memory(1 << 20));
    String name = Work.class.getName();
    StudyTransformer transformer =
        new StudyTransformer(List.of(Pattern.compile(Pattern.quote(name))), METHODS);
    ClassLoader loader =
        new ClassLoader(StaticProbesTest.class.getClassLoader()) {
          @Override
          protected Class<?> loadClass(String wanted, boolean isResolved)
              throws ClassNotFoundException {
            return wanted.equals(name) ? defined() : super.loadClass(wanted, isResolved);
          }

          private Class<?> defined() throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
              byte[] file =
                  transformer.transform(
                      getUnnamedModule(),
                      this,
                      name.replace('.', '/'),
                      null,
                      null,
                      in.readAllBytes());
              return defineClass(name, file, 0, file.length);
            } catch (IOException e) {
              throw new ClassNotFoundException(name, e);
            }
          }
        };
    assertEquals(Map.of(), transformer.failures);
    work = (Callable<?>) loader.loadClass(name).getConstructor().newInstance();
  }

  private static Map<String, Long> calls() {
    Map<String, Long> found = new HashMap<>();
    List<StudiedMethods.Method> all = METHODS.all();
    long[] calls = Buffers.calls(all.size());
    for (int k = 0; k < calls.length; k++) {
      found.merge(all.get(k).name(), calls[k], Long::sum);
    }
    return found;
  }

  private static int number(String name) {
    List<StudiedMethods.Method> all = METHODS.all();
    for (int k = 0; k < all.size(); k++) {
      if (all.get(k).name().equals(name)) {
        return k;
      }
    }
    throw new AssertionError(name);
  }

  private static List<long[]> samples(String name) {
    List<long[]> found = new ArrayList<>();
    boolean[] wanted = new boolean[METHODS.all().size()];
    wanted[number(name)] = true;
    Buffers.read(wanted, (method, values) -> found.add(values.clone()));
    return found;
  }

  @Test
  @SuppressWarnings("deprecation") // Thread.getId, by 19 and later
  void countsOutermostInvocationsThatEnd() throws Exception {
    for (int round = 0; round < 3; round++) {
      Map<String, Long> before = calls();
      long from = System.nanoTime();
      work.call();
      long to = System.nanoTime();
      Map<String, Long> counted = new HashMap<>();
      calls().forEach((name, n) -> counted.put(name, n - before.get(name)));
      assertEquals(
          Map.of(
              "<init>", 1L, // new Work(3)
              "call", 1L,
              "leaf", 300L,
              "depth", 1L,
              "failing", 8L,
              "swallow", 1L,
              "overflow", 1L,
              "endless", 1L),
          counted);
      List<long[]> leaves = samples("leaf");
      assertEquals(SampleBuffer.CAPACITY, leaves.size());
      for (long[] leaf : leaves) {
        assertEquals(Thread.currentThread().getId(), leaf[SampleBuffer.THREAD]);
        assertTrue(from <= leaf[SampleBuffer.ENTRY] && leaf[SampleBuffer.EXIT] <= to);
        assertTrue(leaf[SampleBuffer.ENTRY] <= leaf[SampleBuffer.EXIT]);
      }
    }
  }

  @Test
  void threadsThatHaveEndedAreKeptAndTheirMemoryIsUsedAgain() throws Exception {
    long before = calls().get("leaf");
    long unmeasured = Buffers.N_UNMEASURED.get();
    for (int k = 0; k < 40; k++) { // each needs 8 buffers of the 127 that there are
      Thread thread = new Thread(() -> call(work));
      thread.start();
      thread.join();
      Buffers.sweep();
    }
    assertEquals(before + 40 * 300, calls().get("leaf"));
    assertEquals(unmeasured, Buffers.N_UNMEASURED.get());
    assertTrue(samples("leaf").size() >= SampleBuffer.CAPACITY);
  }

  private static void call(Callable<?> called) {
    try {
      called.call();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource({"65500,0,0", "1,65535,0", "1,0,65535"})
  void aMethodThatWouldBecomeTooLargeIsLeftOutAlone(int length, int maxStack, int maxLocals) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V1_5, Opcodes.ACC_PUBLIC, "test/Full", null, "java/lang/Object", null);
    for (String name : List.of("full", "small")) {
      int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC;
      MethodVisitor method = writer.visitMethod(access, name, "()V", null, null);
      boolean isFull = name.equals("full");
      for (int k = 0; isFull && k < length; k++) {
        method.visitInsn(Opcodes.NOP);
      }
      for (int k = 0; k < 12; k++) { // each gets a call of its own
        method.visitInsn(Opcodes.RETURN);
      }
      method.visitMaxs(isFull ? maxStack : 0, isFull ? maxLocals : 0);
    }
    StudyTransformer transformer = new StudyTransformer(List.of(), new StudiedMethods());
    ClassLoader loader = StaticProbesTest.class.getClassLoader();
    byte[] file = writer.toByteArray();
    byte[] made =
        transformer.transform(loader.getUnnamedModule(), loader, "test/Full", null, null, file);

    assertEquals(Set.of("test/Full.full()V"), transformer.failures.keySet());
    Class<?> type =
        new ClassLoader(loader) {
          Class<?> defined() {
            return defineClass("test.Full", made, 0, made.length);
          }
        }.defined();
    assertEquals(2, type.getDeclaredMethods().length);
  }

  @Test
  void classesOfTheJdkAreLeftAlone() throws IOException {
    StudiedMethods methods = new StudiedMethods();
    StudyTransformer transformer = new StudyTransformer(List.of(), methods);
    Module javaBase = Object.class.getModule();
    assertEquals(
        null, transformer.transform(javaBase, null, "java/lang/Object", null, null, new byte[0]));
    assertEquals(List.of(), methods.all());
    assertEquals(Map.of(), transformer.failures);
  }
}
