package io.jvmscope.calibration;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Two loops whose difference is a cost differ in nothing else: a call of the kind that is measured,
 * or an object of the size that is measured.
 */
class LoopsTest {
  private static final int N = 1_000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  static Stream<Arguments> calls() {
    return Stream.of(
        Arguments.of("ofStatic", Opcodes.INVOKESTATIC, "calledStatic"),
        Arguments.of("ofVirtual1", Opcodes.INVOKEVIRTUAL, "called"),
        Arguments.of("ofVirtual2", Opcodes.INVOKEVIRTUAL, "called"),
        Arguments.of("ofVirtual3", Opcodes.INVOKEVIRTUAL, "called"),
        Arguments.of("ofInterface1", Opcodes.INVOKEINTERFACE, "calledByInterface"),
        Arguments.of("ofInterface2", Opcodes.INVOKEINTERFACE, "calledByInterface"),
        Arguments.of("ofInterface3", Opcodes.INVOKEINTERFACE, "calledByInterface"));
  }

  @ParameterizedTest
  @MethodSource("calls")
  void aCallStandsInPlaceOfTheField(String loop, int opcode, String called) throws IOException {
    List<AbstractInsnNode> calling = instructions(Calls.class, loop);
    List<AbstractInsnNode> bare = instructions(Calls.class, "bare");

    assertEquals(bare.size(), calling.size());
    int calls = 0;
    for (int i = 0; i < bare.size(); i++) {
      if (calling.get(i) instanceof MethodInsnNode call) {
        assertEquals(opcode, call.getOpcode());
        assertEquals(called, call.name);
        assertEquals(Opcodes.GETFIELD, bare.get(i).getOpcode());
        calls++;
      } else {
        assertEquals(bare.get(i).getOpcode(), calling.get(i).getOpcode(), "at " + i);
      }
    }
    assertEquals(1, calls);
  }

  @ParameterizedTest
  @MethodSource("calls")
  void aLoopOfCallsFindsWhatTheBareLoopFinds(String loop, int opcode, String called)
      throws ReflectiveOperationException {
    Calls calls = new Calls();
    calls.load();
    Object found = Calls.class.getDeclaredMethod(loop, int.class).invoke(calls, N);

    assertEquals(calls.bare(N), found);
  }

  @ParameterizedTest
  @MethodSource("receivers")
  void aLoopHasAsManyClassesOfReceivers(String field, int expected)
      throws ReflectiveOperationException {
    var objects = Calls.class.getDeclaredField(field);
    objects.setAccessible(true);
    Calls calls = new Calls();
    calls.load();
    Object[] receivers = (Object[]) objects.get(calls);

    assertEquals(expected, Stream.of(receivers).map(Object::getClass).distinct().count());
  }

  static Stream<Arguments> receivers() {
    Map<String, Integer> numbers = Map.of("one", 1, "two", 2, "three", 3);
    return numbers.entrySet().stream().map(each -> Arguments.of(each.getKey(), each.getValue()));
  }

  @ParameterizedTest
  @MethodSource("creations")
  void anObjectHasTheSizeThatIsMeasured(String name, IntToLongFunction loop, long bytes) {
    loop.applyAsLong(N); // what is loaded or linked now is made by this thread
    long before = THREADS.getCurrentThreadAllocatedBytes();
    loop.applyAsLong(N);
    long after = THREADS.getCurrentThreadAllocatedBytes();

    assertEquals(N * bytes, after - before);
  }

  static Stream<Arguments> creations() {
    Creations objects = new Creations();
    List<Arguments> found = new ArrayList<>();
    found.add(creation("bare", objects::bare, 0));
    found.add(creation("store", objects::store, 0));
    found.add(creation("16", objects::of16, 16));
    found.add(creation("24", objects::of24, 24));
    found.add(creation("32", objects::of32, 32));
    found.add(creation("64", objects::of64, 64));
    found.add(creation("128", objects::of128, 128));
    for (int size : Creations.ARRAY_BYTES) {
      Creations arrays = new Creations();
      arrays.length = size - Creations.ARRAY_HEADER;
      found.add(creation("array of " + size, arrays::ofArray, size));
    }
    return found.stream();
  }

  private static Arguments creation(String name, IntToLongFunction loop, long bytes) {
    return Arguments.of(name, loop, bytes);
  }

  /**
   * A constructor calls that of its superclass, and so on: three calls; the bare loop has three.
   */
  @ParameterizedTest
  @MethodSource("calling")
  void theLoopWithoutObjectsCallsAsManyMethods(Class<?> type, String method, int expected)
      throws IOException {
    int depth = 1;
    Class<?> at = type;
    while (instructions(at, method).stream().anyMatch(MethodInsnNode.class::isInstance)) {
      at = at.getSuperclass();
      depth++;
    }
    assertEquals(expected, depth);
  }

  static Stream<Arguments> calling() {
    return Stream.of(
        Arguments.of(Creations.First.class, "call", 3),
        Arguments.of(Creations.Of16.class, "<init>", 3),
        Arguments.of(Creations.Of128.class, "<init>", 3));
  }

  private static List<AbstractInsnNode> instructions(Class<?> type, String name)
      throws IOException {
    ClassNode node = new ClassNode();
    new ClassReader(type.getName()).accept(node, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    MethodNode method =
        node.methods.stream().filter(each -> each.name.equals(name)).findFirst().orElseThrow();
    return Stream.of(method.instructions.toArray()).filter(each -> each.getOpcode() >= 0).toList();
  }
}
