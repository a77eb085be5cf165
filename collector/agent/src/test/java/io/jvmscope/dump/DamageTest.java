package io.jvmscope.dump;

import static jdk.internal.perf.ArenaLayout.FIRST_NODE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jvmscope.arena.Arena;
import io.jvmscope.tables.FrameWriter;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole dumps of raw directories, damaged ones above all: one sentence, never a stack trace. */
final class DamageTest {
  @TempDir Path raw;

  private FrameParser frames;

  /** What {@code Main} would say; null if all went well. */
  private String dump() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    String failure;
    try (FrameWriter out = new FrameWriter(Channels.newChannel(bytes))) {
      failure = Main.dump(raw, raw.resolve("options"), out);
    }
    frames = new FrameParser(bytes.toByteArray());
    return failure;
  }

  private void writeArena() throws IOException {
    try (ArenaBuilder arena = new ArenaBuilder(raw.resolve("arena"), 2 << 20)) {
      int main = arena.root("main", 0, 0, 0);
      arena.node(main, 0, 1, 1, 1);
    }
  }

  private static byte[] ownFile() throws IOException {
    try (InputStream in = DamageTest.class.getResourceAsStream("DamageTest.class")) {
      return in.readAllBytes();
    }
  }

  private void writeLog(int... lengthError) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] file = ownFile();
    try (DataOutputStream log = new DataOutputStream(bytes)) {
      log.writeByte('C');
      log.writeInt(2);
      log.writeInt(1);
      log.writeInt(0);
      log.writeUTF("io/jvmscope/dump/DamageTest");
      log.writeInt(0);
      log.writeInt(file.length);
      log.write(file);
    }
    int error = lengthError.length == 0 ? 0 : lengthError[0];
    try (DataOutputStream out =
        new DataOutputStream(Files.newOutputStream(raw.resolve("classes.log")))) {
      out.writeInt(bytes.size() + error);
      bytes.writeTo(out);
    }
  }

  @Test
  void namesTheModuleOfAPackage() throws IOException {
    writeArena();
    writeLog();
    try (OutputStream out =
            Files.newOutputStream(raw.resolve("classes.log"), StandardOpenOption.APPEND);
        DataOutputStream log = new DataOutputStream(out)) {
      for (int loader : new int[] {3, 2}) { // a package may be in several loaders
        String module = "own" + loader;
        log.writeInt(1 + 4 + 2 + "io/jvmscope/dump".length() + 2 + module.length());
        log.writeByte('M');
        log.writeInt(loader);
        log.writeUTF("io/jvmscope/dump");
        log.writeUTF(module);
      }
    }
    assertNull(dump());
    assertEquals(List.of("own2"), frames.column("class", "module"));
  }

  @Test
  void dumpsOneClass() throws IOException {
    writeArena();
    writeLog();
    assertNull(dump());
    assertEquals(List.of("io/jvmscope/dump/DamageTest"), frames.column("class", "name"));
    assertEquals(List.of("app"), frames.column("class", "loader"));
    assertEquals(2, frames.end("context"));
    assertTrue(frames.classFiles().containsKey("app/io/jvmscope/dump/DamageTest.class"));
    assertTrue(frames.column("method", "name").contains("dumpsOneClass"));
    assertTrue(frames.column("instruction", "operand").contains("\"classes.log\""));
    assertEquals(frames.end("instruction"), frames.column("instruction", "opcode").size());
  }

  @Test
  void saysThatNothingWasRecorded() throws IOException {
    assertTrue(dump().contains("arena: no such file"));
    Files.write(raw.resolve("arena"), new byte[8192]);
    assertTrue(dump().contains("ended before recording began"));
  }

  @Test
  void saysThatTheArenaIsCutOff() throws IOException {
    writeArena();
    writeLog();
    try (RandomAccessFile arena = new RandomAccessFile(raw.resolve("arena").toFile(), "rw")) {
      arena.setLength(FIRST_NODE + 16);
    }
    assertTrue(dump().contains("is cut off"));
  }

  @Test
  void saysThatItIsNoArena() throws IOException {
    Files.write(raw.resolve("arena"), "x".repeat(9000).getBytes("US-ASCII"));
    assertTrue(dump().contains("magic"));
  }

  @Test
  void saysThatALinkLeadsNowhere() throws IOException {
    writeLog();
    try (ArenaBuilder arena = new ArenaBuilder(raw.resolve("arena"), 2 << 20)) {
      int main = arena.root("main", 0, 0, 0);
      int node = arena.node(main, 0, 1, 1, 1);
      arena.putInt(Arena.address(node) + Arena.slot(0), 0x7FFF_FFFF);
    }
    String failure = dump();
    assertNotNull(failure);
    assertTrue(failure.startsWith("arena: "), failure);
  }

  @Test
  void takesALogThatEndsInARecord() throws IOException {
    writeArena();
    writeLog(1000);
    assertNull(dump());
    assertEquals(0, frames.end("class"));
    assertEquals(1, frames.end("context"));
  }

  @Test
  void saysThatTheLogIsDamaged() throws IOException {
    writeArena();
    Files.write(raw.resolve("classes.log"), new byte[] {0, 0, 0, 1, 'X'});
    assertTrue(dump().contains("record of kind 88"));
    Files.write(raw.resolve("classes.log"), new byte[] {-1, 0, 0, 1, 'C', 0});
    assertTrue(dump().contains("bytes at byte 0"));
  }
}
