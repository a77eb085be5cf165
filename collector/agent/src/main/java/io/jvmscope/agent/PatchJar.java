package io.jvmscope.agent;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A jar for {@code --patch-module}. Its entries are stored, without times: the same classes make
 * the same bytes.
 */
final class PatchJar {
  private final Map<String, byte[]> classes = new TreeMap<>();

  /** Adds a class file, or replaces the one of the same class. */
  void add(String className, byte[] bytes) {
    classes.put(className, bytes);
  }

  void write(Path path) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path), 1 << 20);
        ZipOutputStream jar = new ZipOutputStream(out)) {
      jar.setMethod(ZipOutputStream.STORED);
      for (Map.Entry<String, byte[]> added : classes.entrySet()) {
        byte[] bytes = added.getValue();
        CRC32 crc = new CRC32();
        crc.update(bytes);
        ZipEntry entry = new ZipEntry(added.getKey() + ".class");
        entry.setCrc(crc.getValue());
        entry.setSize(bytes.length);
        entry.setTime(0);
        jar.putNextEntry(entry);
        jar.write(bytes);
        jar.closeEntry();
      }
    }
  }
}
