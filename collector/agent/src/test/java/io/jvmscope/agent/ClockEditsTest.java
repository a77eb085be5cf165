package io.jvmscope.agent;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jvmscope.agent.JdkImageClasses.Source;
import io.jvmscope.classfile.ClassFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** In java.base, and what leads into it, nothing reads the machine's clock or waits unnoticed. */
final class ClockEditsTest {
  private static final Set<String> READ =
      Set.of(
          "java/lang/System.nanoTime()J",
          "java/lang/System.currentTimeMillis()J",
          "jdk/internal/misc/VM.getNanoTimeAdjustment(J)J");

  /** Natives that take a timeout, and those that end the wait of another thread. */
  private static final Set<String> WAITS =
      Set.of(
          "java/lang/Object.notify()V",
          "java/lang/Object.notifyAll()V",
          "jdk/internal/misc/Unsafe.park(ZJ)V",
          "jdk/internal/misc/Unsafe.unpark(Ljava/lang/Object;)V",
          "sun/nio/ch/Net.poll(Ljava/io/FileDescriptor;IJ)I",
          "sun/nio/ch/Net.pollConnect(Ljava/io/FileDescriptor;J)Z",
          "sun/nio/ch/EPoll.wait(IJII)I",
          "sun/nio/ch/PollSelectorImpl.poll(JII)I");

  /** What they are in some releases only. */
  private static final Set<String> WAITS_OF_A_RELEASE =
      Set.of(
          "java/lang/Thread.sleep(J)V", // until 18
          "java/lang/Thread.sleep0(J)V", // until 21
          "java/lang/Thread.sleepNanos0(J)V",
          "java/lang/Object.wait(J)V", // until 18
          "java/lang/Object.wait0(J)V");

  /** Natives of such names that wait without a timeout, in threads that do nothing else. */
  private static final Set<String> WITHOUT_TIMEOUT =
      Set.of(
          "java/lang/ProcessHandleImpl.waitForProcessExit0(JZ)I",
          "java/lang/ref/Reference.waitForReferencePendingList()V",
          "sun/nio/fs/LinuxWatchService.poll(II)I");

  /** If they are natives, others are called in their place. */
  private static final Set<String> REPLACED =
      Set.of(
          "java/lang/Thread.sleep(J)V",
          "java/lang/Object.wait(J)V",
          "jdk/internal/misc/Unsafe.park(ZJ)V");

  private static final Set<String> natives = new TreeSet<>();
  private static final Set<String> waits = new TreeSet<>();
  private static final Set<String> before = new TreeSet<>();
  private static final Set<String> untold = new TreeSet<>();
  private static final Set<String> left = new TreeSet<>();

  @BeforeAll
  static void editTheClassLibrary() throws IOException {
    List<Source> sources = new ArrayList<>();
    for (String module : List.of("java.base", "jdk.unsupported", "java.logging")) {
      sources.addAll(new JdkImageClasses().ofModule(module));
    }
    for (Source source : sources) {
      ClassFile file = source.read();
      for (ClassFile.Method method : file.methods()) {
        if (method.isNative()) {
          natives.add(file.name() + "." + method.name() + method.descriptor());
        }
      }
    }
    waits.addAll(WAITS);
    WAITS_OF_A_RELEASE.stream().filter(natives::contains).forEach(waits::add);
    for (Source source : sources) {
      ClassFile file = source.read();
      boolean isBase = source.module().equals("java.base");
      Calls calls = isBase ? Calls.DIRECT : Calls.THROUGH_OBJECT;
      List<ClassEdit> edits = ClockEdits.ofJdk(file, calls);
      if (!edits.isEmpty()) {
        ClassNode tree = new ClassNode();
        new ClassReader(file.bytes()).accept(tree, ClassReader.EXPAND_FRAMES);
        before.addAll(callsOf(tree));
        edits.forEach(edit -> assertDoesNotThrow(() -> edit.apply(tree, 0), file.name()));
        note(tree);
      }
    }
  }

  private static List<String> callsOf(ClassNode tree) {
    List<String> found = new ArrayList<>();
    for (MethodNode method : tree.methods) {
      for (AbstractInsnNode i : method.instructions) {
        if (i instanceof MethodInsnNode call) {
          found.add(call.owner + "." + call.name + call.desc);
        }
      }
    }
    return found;
  }

  private static void note(ClassNode tree) {
    for (MethodNode method : tree.methods) {
      for (AbstractInsnNode i : method.instructions) {
        if (i instanceof MethodInsnNode call) {
          String name = call.owner + "." + call.name + call.desc;
          if (READ.contains(name) || REPLACED.contains(name) && natives.contains(name)) {
            left.add(tree.name + "." + method.name + ": " + name);
          } else if (waits.contains(name) && !isTold(call)) {
            untold.add(tree.name + "." + method.name + ": " + name);
          }
        }
      }
    }
  }

  /**
   * Does a call of ours stand before this one? The native of wait is told of at its method's start.
   */
  private static boolean isTold(MethodInsnNode call) {
    AbstractInsnNode i = call.getPrevious();
    while (call.name.equals("wait0") && i != null && !isOurs(i)) {
      i = i.getPrevious();
    }
    return isOurs(i);
  }

  private static boolean isOurs(AbstractInsnNode node) {
    return node instanceof MethodInsnNode told
        && (told.owner.equals(RuntimeClasses.CLOCK_WAITS)
            || told.owner.equals("java/lang/Object") && told.name.startsWith(Calls.PREFIX));
  }

  @Test
  void nothingReadsTheMachinesClock() {
    assertTrue(before.containsAll(READ), before::toString);
    assertEquals(Set.of(), left);
  }

  @Test
  void nothingWaitsOrEndsAWaitWithoutTelling() {
    assertTrue(before.containsAll(waits), () -> "no call of " + missing());
    assertEquals(Set.of(), untold);
  }

  private static Set<String> missing() {
    return waits.stream().filter(name -> !before.contains(name)).collect(Collectors.toSet());
  }

  /** A native that is new, of another name or with another timeout, must be looked at. */
  @Test
  void theNativesThatTellTheTimeOrWaitAreKnown() {
    Set<String> others =
        natives.stream()
            .filter(
                name ->
                    name.matches(".*[.](.*(?i:nanotime|timemillis)|(?i:sleep|wait|park|poll)).*"))
            .filter(name -> !READ.contains(name) && !waits.contains(name))
            .filter(name -> !WITHOUT_TIMEOUT.contains(name))
            .collect(Collectors.toCollection(TreeSet::new));
    others.removeIf(name -> name.matches(".*Net[.]poll(in|out|err|hup|nval|conn)Value.*"));
    assertEquals(Set.of(), others);
  }

  /** Each class of messages has a field for their times, which something writes and reads. */
  @Test
  void messagesKeepTheirTimes() throws IOException {
    Set<String> written = new TreeSet<>();
    Set<String> read = new TreeSet<>();
    Set<String> added = new TreeSet<>();
    for (Source source : new JdkImageClasses().ofModule("java.base")) {
      List<ClassEdit> edits = ClockMessageEdits.of(source.className());
      if (!edits.isEmpty()) {
        ClassNode tree = new ClassNode();
        new ClassReader(source.read().bytes()).accept(tree, ClassReader.EXPAND_FRAMES);
        edits.forEach(edit -> edit.apply(tree, 0));
        tree.fields.stream()
            .filter(field -> field.name.startsWith(Calls.PREFIX))
            .forEach(field -> added.add(tree.name + "." + field.name));
        for (MethodNode method : tree.methods) {
          for (AbstractInsnNode i : method.instructions) {
            if (i instanceof FieldInsnNode field && field.name.startsWith(Calls.PREFIX)) {
              boolean isRead = field.getOpcode() == Opcodes.GETFIELD;
              (isRead ? read : written).add(field.owner + "." + field.name);
            }
          }
        }
      }
    }
    assertTrue(added.size() > 15, added::toString);
    assertEquals(added, written);
    assertEquals(added, read);
  }

  @Test
  void timesOfFlightRecordingsStayReal() throws IOException {
    for (Source source : new JdkImageClasses().ofModule("jdk.jfr")) {
      if (source.className().startsWith("jdk/jfr/")) {
        assertTrue(ClockEdits.ofJdk(source.read(), Calls.THROUGH_OBJECT).isEmpty());
      }
    }
    assertFalse(before.isEmpty());
  }
}
