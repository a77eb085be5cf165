package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.POP2;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Takes from the JDK what would make two recordings of one program differ. */
final class DeterminismEdits {
  private static final Set<String> TIMED =
      Set.of(
          "<clinit>()V",
          "<init>()V",
          "initialSeed()J",
          "seedUniquifier()J",
          "ensureBufferValid()V");

  private static final Set<String> CLOCKS = Set.of("nanoTime", "currentTimeMillis");

  /** What seeds are made of, instead of the time. */
  private static final long SALT = 1_234_567_891_234L;

  /** Classes that take a seed or a decision from the clock. */
  static final List<String> SEEDED =
      List.of(
          "java/util/ImmutableCollections",
          "java/util/Random",
          "java/util/concurrent/ThreadLocalRandom",
          "jdk/internal/util/random/RandomSupport",
          "sun/security/provider/NativePRNG$RandomIO");

  private static final String REFLECTION = "jdk/internal/reflect/Reflection";

  private DeterminismEdits() {}

  static List<ClassEdit> of(String className) {
    if (className.equals(REFLECTION)) {
      return List.of(DeterminismEdits::orderMethods);
    }
    return SEEDED.contains(className) ? List.of(DeterminismEdits::stopClock) : List.of();
  }

  /** Does a class's deterministic form differ from the other? */
  static boolean isTwofold(String className) {
    return !of(className).isEmpty();
  }

  /**
   * What the clock decides: the salt of immutable sets and maps, the seed of random numbers that
   * the program did not seed, and whether SecureRandom drops what it has read of the system's
   * random bytes 100 ms ago. No two runs would be alike.
   */
  static void stopClock(ClassNode tree, int baseId) {
    boolean isStopped = false;
    for (MethodNode method : tree.methods) {
      if (!TIMED.contains(method.name + method.desc)) {
        continue;
      }
      for (AbstractInsnNode i : method.instructions.toArray()) {
        if (i instanceof MethodInsnNode call && CLOCKS.contains(call.name)) {
          method.instructions.insert(i, new LdcInsnNode(SALT));
          method.instructions.insert(i, new InsnNode(POP2));
          isStopped = true;
        }
      }
    }
    if (!isStopped) {
      throw Bodies.lacks(tree.name, "a call of the clock in one of " + new TreeSet<>(TIMED));
    }
  }

  /** The VM has a class's methods in the order of the addresses of their names. */
  static void orderMethods(ClassNode tree, int baseId) {
    String array = "[Ljava/lang/reflect/Method;";
    MethodNode method =
        Bodies.find(tree, "filterMethods", "(Ljava/lang/Class;" + array + ")" + array);
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, 1));
    code.add(Bodies.call(RuntimeClasses.METHOD_ORDER, "sorted", "(" + array + ")" + array));
    code.add(new VarInsnNode(ASTORE, 1));
    method.instructions.insert(code);
    method.maxStack += 1;
  }
}
