package io.jvmscope.probe;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * The classes of a user's own probe as a prepared JDK has them, with {@link EndApi} in the place of
 * the runtime's classes.
 */
final class SnippetClassLoader extends ClassLoader {
  private static final String RUNTIME = "jdk/internal/perf/Snippet";
  private static final String API = EndApi.class.getName().replace('.', '/') + "$";

  private final Path patch;

  SnippetClassLoader(String preparedIn) {
    super(EndApi.class.getClassLoader());
    this.patch = Path.of(preparedIn).resolve("java.base.jar");
  }

  /** The name of a class here, by the one that its source has, in JVM form. */
  static String nameOf(String owner) {
    return (Snippets.CLASSES + owner.replace('/', '$')).replace('/', '.');
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    String entryName = name.replace('.', '/') + ".class";
    try (ZipFile jar = new ZipFile(patch.toFile())) {
      ZipEntry entry = entryName.startsWith(Snippets.CLASSES) ? jar.getEntry(entryName) : null;
      if (entry == null) {
        throw new ClassNotFoundException(name);
      }
      try (InputStream in = jar.getInputStream(entry)) {
        byte[] bytes = mapped(in.readAllBytes());
        return defineClass(name, bytes, 0, bytes.length);
      }
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private static byte[] mapped(byte[] bytes) {
    ClassWriter writer = new ClassWriter(0);
    Remapper remapper =
        new Remapper(Opcodes.ASM9) {
          @Override
          public String map(String name) {
            return name.startsWith(RUNTIME) ? API + name.substring(RUNTIME.length()) : name;
          }
        };
    new ClassReader(bytes).accept(new ClassRemapper(writer, remapper), 0);
    return writer.toByteArray();
  }
}
