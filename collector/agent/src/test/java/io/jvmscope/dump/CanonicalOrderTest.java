package io.jvmscope.dump;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jvmscope.arena.RecordingDamaged;
import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.ClassLogLayout;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** The order and the names of classes, which no address and no counter of the VM may reach. */
final class CanonicalOrderTest {
  @TempDir Path folder;

  private final ByteArrayOutputStream log = new ByteArrayOutputStream();

  private static byte[] file(String name, String field) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
    writer.visitField(Opcodes.ACC_PUBLIC, field, "L" + name + ";", null, null);
    writer.visitEnd();
    return writer.toByteArray();
  }

  private void add(byte[] record) throws IOException {
    DataOutputStream out = new DataOutputStream(log);
    out.writeInt(record.length);
    out.write(record);
  }

  private void addLoader(int id, String className) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(ClassLogLayout.LOADER);
    out.writeInt(id);
    out.writeUTF(className);
    add(bytes.toByteArray());
  }

  private void addClass(int loader, int flags, String name, byte[] file) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(ClassLogLayout.CLASS);
    out.writeInt(loader);
    out.writeInt(1);
    out.writeInt(flags);
    out.writeUTF(name);
    out.writeInt(0);
    out.writeInt(file.length);
    out.write(file);
    add(bytes.toByteArray());
  }

  private List<String> names() throws IOException {
    Files.write(folder.resolve("classes.log"), log.toByteArray());
    try (ClassLogReader classes = new ClassLogReader(folder.resolve("classes.log"))) {
      return CanonicalOrder.of(classes).stream().map(p -> p.loader() + " " + p.name()).toList();
    }
  }

  @Test
  void ordersByNameThenLoader() throws IOException {
    addLoader(4, "x/Loader");
    addLoader(3, "x/Loader");
    addClass(2, 0, "b/B", file("b/B", "f"));
    addClass(4, 0, "a/A", file("a/A", "f"));
    addClass(3, 0, "a/A", file("a/A", "f"));
    addClass(0, 0, "a/A", file("a/A", "f"));
    assertEquals(List.of("boot a/A", "x/Loader#1 a/A", "x/Loader#2 a/A", "app b/B"), names());
  }

  @Test
  void namesHiddenClassesByContent() throws IOException {
    String one = "a/A$$Lambda$7";
    String two = "a/A$$Lambda$123";
    addClass(2, ClassLogLayout.HIDDEN, one, file(one, "first"));
    addClass(2, ClassLogLayout.HIDDEN, two, file(two, "second"));
    List<String> names = names();
    assertEquals(2, names.size());
    for (String name : names) {
      assertTrue(name.matches("app a/A\\$\\$Lambda/[0-9a-f]{8}"), name);
    }
    int before = placeOf(one);
    log.reset();
    // The same classes, loaded the other way round and so with other counters.
    addClass(2, ClassLogLayout.HIDDEN, one, file(one, "second"));
    addClass(2, ClassLogLayout.HIDDEN, two, file(two, "first"));
    assertEquals(names, names());
    assertEquals(before, placeOf(two));
    // One more renames no other; another of the same content is numbered.
    addClass(2, ClassLogLayout.HIDDEN, "a/A$$Lambda$9", file("a/A$$Lambda$9", "third"));
    addClass(2, ClassLogLayout.HIDDEN, "a/A$$Lambda$11", file("a/A$$Lambda$11", "third"));
    List<String> more = names();
    assertTrue(more.containsAll(names));
    assertEquals(1, more.stream().filter(name -> name.endsWith("~2")).count());
  }

  private int placeOf(String name) throws IOException {
    try (ClassLogReader classes = new ClassLogReader(folder.resolve("classes.log"))) {
      List<CanonicalOrder.Place> places = CanonicalOrder.of(classes);
      for (int i = 0; i < places.size(); i++) {
        if (places.get(i).loaded().name().equals(name)) {
          return i;
        }
      }
      return -1;
    }
  }

  @Test
  void hashesContentWithoutTheName() {
    byte[] a = ContentHash.of(new ClassFile(file("p/A", "f")), "p/X");
    byte[] b = ContentHash.of(new ClassFile(file("p/LongName", "f")), "p/X");
    assertArrayEquals(a, b);
  }

  @Test
  void refusesAnUnknownLoader() throws IOException {
    addClass(9, 0, "a/A", file("a/A", "f"));
    assertThrows(RecordingDamaged.class, this::names);
  }
}
