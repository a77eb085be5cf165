package io.jvmscope.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jvmscope.classfile.ClassFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * What the code that is added to java.base does while the program is recorded: it leaves no call in
 * the tree, has the VM link nothing, and takes from the program no class that it is the first to
 * use.
 */
final class RuntimeCodeTest {
  private static final Path COMPILED = Path.of("target/classes/runtime");
  private static final String HIDDEN = "Ljdk/internal/vm/annotation/Hidden;";

  /** What a bare VM calls there, too: it asks the program's loader for the classes of agents. */
  private static final Set<String> CALLS_OF_THE_PROGRAM =
      Set.of(
          "jdk/internal/perf/AgentPath.append calls"
              + " java/lang/NoSuchMethodError.<init>(Ljava/lang/String;)V",
          "jdk/internal/perf/AgentPath.load calls"
              + " java/lang/ClassLoader.loadClass(Ljava/lang/String;)Ljava/lang/Class;",
          "jdk/internal/perf/AgentPath.load calls"
              + " jdk/internal/loader/BootLoader.loadClassOrNull(Ljava/lang/String;)Ljava/lang/Class;");

  /** They are natives until release 18, and nothing calls this code in later ones. */
  private static final Set<String> CALLS_UNTIL_18 =
      Set.of(
          "jdk/internal/perf/ClockWaits.sleep calls java/lang/Thread.sleep(J)V",
          "jdk/internal/perf/ClockWaits.wait calls java/lang/Object.wait(J)V");

  /**
   * Initialised at the agent's start, if not before; and what the program's call that is replaced
   * would have initialised.
   */
  private static final Set<String> USED_FIRST = Set.of("java/lang/Long", "java/lang/reflect/Array");

  private static final Set<String> KEYED_BY_IDENTITY =
      Set.of("java/util/IdentityHashMap", "java/util/WeakHashMap", "java/lang/ClassValue");

  /** Those that see to it that the program gets the codes that it would have got. */
  private static final Set<String> KEEP_CODES =
      Set.of(
          "jdk/internal/perf/LentHashes",
          "jdk/internal/perf/LifetimeLog",
          "jdk/internal/perf/ObjectNumbers",
          "jdk/internal/perf/SideWords",
          "jdk/internal/perf/SideWords$Entry");

  /** The agent reads and writes them, which has paused. */
  private static final String FILES_OF_THE_AGENT = "jdk/internal/perf/QuietFiles.";

  private static final Map<String, Body> BODIES = new HashMap<>();

  /** A method, and before which of its nodes the recording has surely been paused. */
  private static final class Body {
    final String owner;
    final MethodNode code;
    boolean isPaused = true; // by all who call it, until one is found that has not paused
    boolean[] paused;

    Body(String owner, MethodNode code) {
      this.owner = owner;
      this.code = code;
    }

    String name() {
      return owner + "." + code.name;
    }

    /**
     * Do methods of the JDK and of the program call it? The agent has paused, and is not hidden.
     */
    boolean isEntry() {
      boolean isHidden = false;
      for (List<AnnotationNode> some :
          List.of(orNone(code.visibleAnnotations), orNone(code.invisibleAnnotations))) {
        isHidden |= some.stream().anyMatch(a -> a.desc.equals(HIDDEN));
      }
      return isHidden && (code.access & Opcodes.ACC_PUBLIC) != 0;
    }

    private static List<AnnotationNode> orNone(List<AnnotationNode> some) {
      return some == null ? List.of() : some;
    }
  }

  private static String key(String owner, String name, String descriptor) {
    return owner + "." + name + descriptor;
  }

  @BeforeAll
  static void readAndFollow() throws IOException {
    for (String name : RuntimeClasses.COMPILED) {
      ClassNode tree = new ClassNode();
      new ClassReader(Files.readAllBytes(COMPILED.resolve(name + ".class"))).accept(tree, 0);
      for (MethodNode method : tree.methods) {
        if (method.instructions.size() > 0) {
          BODIES.put(key(name, method.name, method.desc), new Body(name, method));
        }
      }
    }
    ArrayDeque<Body> open = new ArrayDeque<>();
    for (Body body : BODIES.values()) {
      body.isPaused = !body.isEntry();
      open.add(body);
    }
    while (!open.isEmpty()) {
      Body body = open.pop();
      body.paused = pausedIn(body);
      AbstractInsnNode[] nodes = body.code.instructions.toArray();
      for (int k = 0; k < nodes.length; k++) {
        Body called = nodes[k] instanceof MethodInsnNode call ? BODIES.get(key(call)) : null;
        if (called != null && called.isPaused && !body.paused[k]) {
          called.isPaused = false;
          open.add(called);
        }
      }
    }
  }

  private static String key(MethodInsnNode call) {
    return key(call.owner, call.name, call.desc);
  }

  /** Before which nodes the recording is paused, on all ways. */
  private static boolean[] pausedIn(Body body) {
    Ways ways = new Ways(body.code);
    Boolean[] found = new Boolean[ways.size()]; // null: not reached yet
    ArrayDeque<Integer> open = new ArrayDeque<>();
    reach(0, body.isPaused, found, open);
    while (!open.isEmpty()) {
      int at = open.pop();
      for (int handler : ways.handlers(at)) {
        reach(handler, found[at], found, open);
      }
      for (int next : ways.next(at)) {
        reach(next, behind(ways.node(at), found[at]), found, open);
      }
    }
    boolean[] paused = new boolean[found.length];
    for (int k = 0; k < found.length; k++) {
      paused[k] = found[k] == null || found[k];
    }
    return paused;
  }

  private static void reach(int at, boolean isPaused, Boolean[] found, ArrayDeque<Integer> open) {
    if (found[at] == null || found[at] && !isPaused) {
      found[at] = isPaused;
      open.push(at);
    }
  }

  private static boolean behind(AbstractInsnNode node, boolean isPaused) {
    if (node instanceof MethodInsnNode call && call.owner.equals(RuntimeClasses.THREAD_SLOT)) {
      return call.name.equals("pause") || isPaused && !call.name.equals("resume");
    }
    return isPaused;
  }

  /** Whether a call of a method of the JDK leaves no trace in a tree: it has no counting body. */
  private static boolean isSilent(MethodInsnNode call) throws IOException {
    for (String owner = call.owner; owner != null; ) {
      try (InputStream in = ClassLoader.getSystemResourceAsStream(owner + ".class")) {
        ClassFile file = new ClassFile(in.readAllBytes());
        for (ClassFile.Method method : file.methods()) {
          if (method.name().equals(call.name) && method.descriptor().equals(call.desc)) {
            return method.code() == null && (method.access() & Opcodes.ACC_NATIVE) != 0
                || method.code() != null && Exclusions.reason(file, method) != null;
          }
        }
        owner = file.superName();
      }
    }
    return false;
  }

  @Test
  void callsNothingThatCountsUnlessItPauses() throws IOException {
    TreeSet<String> found = new TreeSet<>();
    for (Body body : BODIES.values()) {
      AbstractInsnNode[] nodes = body.code.instructions.toArray();
      for (int k = 0; k < nodes.length; k++) {
        if (nodes[k] instanceof MethodInsnNode call
            && !body.paused[k]
            && !RuntimeClasses.isOwn(call.owner)
            && !isSilent(call)) {
          found.add(body.name() + " calls " + key(call));
        }
      }
    }
    found.removeAll(CALLS_OF_THE_PROGRAM);
    found.removeIf(call -> call.startsWith(FILES_OF_THE_AGENT));
    if (Runtime.version().feature() > 18) {
      found.removeAll(CALLS_UNTIL_18);
    }
    assertEquals("", String.join("\n", found));
  }

  @Test
  void linksNothing() {
    TreeSet<String> found = new TreeSet<>();
    for (Body body : BODIES.values()) {
      for (AbstractInsnNode i : body.code.instructions) {
        boolean isLinked =
            i instanceof InvokeDynamicInsnNode
                || i instanceof LdcInsnNode constant
                    && (constant.cst instanceof Handle
                        || constant.cst instanceof ConstantDynamic
                        || constant.cst instanceof Type type && type.getSort() == Type.METHOD);
        if (isLinked) {
          found.add(body.name());
        }
      }
    }
    assertEquals(new TreeSet<String>(), found);
  }

  /** A code that the recording takes is missing in the sequence that the program sees. */
  @Test
  void takesNoIdentityHashCodesButForProbesOfObjects() {
    TreeSet<String> found = new TreeSet<>();
    for (Body body : BODIES.values()) {
      for (AbstractInsnNode i : body.code.instructions) {
        boolean takes =
            i instanceof MethodInsnNode call
                && (call.name.equals("identityHashCode")
                    || call.name.equals("hashCode") && call.owner.equals("java/lang/Object")
                    || KEYED_BY_IDENTITY.contains(call.owner));
        if (takes && !KEEP_CODES.contains(body.owner)) {
          found.add(body.name());
        }
      }
    }
    assertEquals(new TreeSet<String>(), found);
  }

  /** A class of the JDK that the program would meet first would be loaded in its place. */
  @Test
  void usesOnlyClassesThatTheVmHasInitialisedBeforeTheProgram(@TempDir Path folder)
      throws Exception {
    TreeSet<String> found = new TreeSet<>();
    TreeSet<String> known = initialisedByTheVm(folder);
    assertTrue(known.contains("java/lang/Thread") && known.contains("java/util/ArrayList"));
    for (Body body : BODIES.values()) {
      for (AbstractInsnNode i : body.code.instructions) {
        for (String used : initialisedBy(i)) {
          boolean isOfFailure = used.endsWith("Error") || used.endsWith("Exception");
          if (!RuntimeClasses.isOwn(used)
              && !isOfFailure
              && !known.contains(used)
              && !USED_FIRST.contains(used)) {
            found.add(body.name() + " uses " + used);
          }
        }
      }
    }
    assertEquals("", String.join("\n", found));
  }

  /** The classes that a VM without a class archive initialises for a program that does nothing. */
  private static TreeSet<String> initialisedByTheVm(Path folder) throws Exception {
    Path log = folder.resolve("log");
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process vm =
        new ProcessBuilder(
                java.toString(),
                "-Xshare:off",
                "-Xlog:class+init=info:file=" + log + ":none:filecount=0",
                "-cp",
                Path.of("target/test-classes").toString(),
                Nothing.class.getName())
            .inheritIO()
            .start();
    assertEquals(0, vm.waitFor());
    Pattern line = Pattern.compile("Initializing '([^']+)'");
    TreeSet<String> found = new TreeSet<>();
    for (String text : Files.readAllLines(log)) {
      Matcher matcher = line.matcher(text);
      if (matcher.find()) {
        found.add(matcher.group(1));
      }
    }
    return found;
  }

  /** A program that does nothing. */
  static final class Nothing {
    public static void main(String[] arguments) {}
  }

  /** The classes that an instruction may have the VM initialise (JVMS 5.5). */
  private static List<String> initialisedBy(AbstractInsnNode i) {
    return switch (i.getOpcode()) {
      case Opcodes.NEW -> List.of(((TypeInsnNode) i).desc);
      case Opcodes.INVOKESTATIC -> List.of(((MethodInsnNode) i).owner);
      case Opcodes.GETSTATIC, Opcodes.PUTSTATIC -> List.of(((FieldInsnNode) i).owner);
      default -> List.of();
    };
  }
}
