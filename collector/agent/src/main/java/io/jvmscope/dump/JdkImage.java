package io.jvmscope.dump;

import io.jvmscope.arena.RecordingDamaged;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.nio.ByteBuffer;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The class files of the JDK that runs this, which is the one that was recorded, and of a patch of
 * java.base that the program's own options named.
 */
final class JdkImage {
  private final Map<String, ModuleReference> modules = new HashMap<>(); // by package
  private final Map<ModuleReference, ModuleReader> readers = new HashMap<>();
  private final List<Path> patches = new ArrayList<>();

  /** With the user's patch of java.base: directories and jars, the first of which wins. */
  JdkImage(List<Path> patchPaths) throws IOException {
    for (Path path : patchPaths) {
      if (Files.isDirectory(path)) {
        patches.add(path);
      } else if (Files.exists(path)) {
        patches.add(FileSystems.newFileSystem(path).getPath("/"));
      }
    }
    for (ModuleReference module : ModuleFinder.ofSystem().findAll()) {
      for (String name : module.descriptor().packages()) {
        modules.put(name.replace('.', '/'), module);
      }
    }
  }

  private ModuleReference moduleOf(String className) {
    return modules.get(className.substring(0, Math.max(0, className.lastIndexOf('/'))));
  }

  /** Name of the module that a class of the JDK is in; null if the JDK has no such package. */
  String module(String className) {
    ModuleReference module = moduleOf(className);
    return module == null ? null : module.descriptor().name();
  }

  /** The file of a class of the JDK. */
  byte[] file(String className) throws IOException {
    for (Path root : patches) {
      Path patched = root.resolve(className + ".class");
      if (Files.exists(patched)) {
        return Files.readAllBytes(patched);
      }
    }
    ModuleReference module = moduleOf(className);
    if (module == null) {
      throw new RecordingDamaged("class log: " + className + " is not a class of this JDK");
    }
    ModuleReader reader = readers.get(module);
    if (reader == null) {
      reader = module.open();
      readers.put(module, reader);
    }
    String resource = className + ".class";
    ByteBuffer found =
        reader
            .read(resource)
            .orElseThrow(
                () -> new RecordingDamaged("class log: this JDK has no class " + className));
    byte[] bytes = new byte[found.remaining()];
    found.get(bytes);
    reader.release(found);
    return bytes;
  }
}
