package io.jvmscope.agent;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jvmscope.classfile.ClassFile;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;

/** A JDK that is not as the edits expect is refused by the name of what it lacks. */
final class JdkEditsTest {
  /** Edits that add members, or hold of any class. */
  private static final List<String> NEED_NOTHING =
      List.of("java/lang/Object", "java/lang/Class", "java/lang/ClassLoader", AgentEdits.ACCESS);

  @Test
  void everyNeededClassIsEdited() {
    for (String name : JdkEdits.NEEDED) {
      assertTrue(name.equals(AgentEdits.ACCESS) || !JdkEdits.of(name, true).isEmpty(), name);
    }
  }

  @Test
  void editsOfThisJdkFindWhatTheyNeed() throws IOException {
    for (String name : JdkEdits.NEEDED) {
      try (InputStream file = ClassLoader.getSystemResourceAsStream(name + ".class")) {
        ClassNode tree = new ClassNode();
        new ClassReader(file).accept(tree, ClassReader.EXPAND_FRAMES);
        for (ClassEdit edit : JdkEdits.of(name, true)) {
          assertDoesNotThrow(() -> edit.apply(tree, 0), name);
        }
      }
    }
  }

  @Test
  void anEditThatFindsNothingSaysSo() {
    for (String name : JdkEdits.NEEDED) {
      if (!NEED_NOTHING.contains(name)) {
        assertRefused(name, empty(name));
      }
    }
  }

  @Test
  void nativesOfTheBridgeMustBeThere() {
    for (BridgeGenerator.Native used : BridgeGenerator.natives()) {
      assertRefused(used.owner(), empty(used.owner()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"java/lang/System$1", "java/lang/System$2"})
  void accessToHiddenClassesMustDefineThem(String name) {
    ClassNode other = empty(name);
    JdkEdits.of(name, true).forEach(edit -> edit.apply(other, 0));
    ClassNode access = empty(name);
    access.interfaces.add(AgentEdits.ACCESS);
    assertRefused(name, access);
  }

  @Test
  void fieldsThatTheRuntimeReadsMustBeThere() throws IOException {
    for (String name : JdkEdits.FIELDS.keySet()) {
      try (InputStream file = ClassLoader.getSystemResourceAsStream(name + ".class")) {
        JdkEdits.checkFields(new ClassFile(file.readAllBytes()));
      }
      ClassWriter writer = new ClassWriter(0);
      writer.visit(Opcodes.V17, 0, name, null, null, null);
      ClassFile bare = new ClassFile(writer.toByteArray());
      IllegalStateException refusal =
          assertThrows(IllegalStateException.class, () -> JdkEdits.checkFields(bare), name);
      String field = JdkEdits.FIELDS.get(name).get(0);
      assertTrue(refusal.getMessage().contains(field), refusal.getMessage());
    }
  }

  private static ClassNode empty(String name) {
    ClassNode tree = new ClassNode();
    tree.name = name;
    return tree;
  }

  private static void assertRefused(String name, ClassNode tree) {
    List<ClassEdit> edits = JdkEdits.of(name, true);
    assertFalse(edits.isEmpty(), name);
    IllegalStateException refusal =
        assertThrows(
            IllegalStateException.class, () -> edits.forEach(edit -> edit.apply(tree, 0)), name);
    assertTrue(refusal.getMessage().contains("not supported: " + name), refusal.getMessage());
  }
}
