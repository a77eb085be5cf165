package io.jvmscope.dump;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** The class files of the JDK that runs this, which is the one that was recorded. */
final class JdkImage {
  private final Map<String, ModuleReference> modules = new HashMap<>(); // by package
  private final Map<ModuleReference, ModuleReader> readers = new HashMap<>();

  JdkImage() {
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
    ModuleReference module = moduleOf(className);
    if (module == null) {
      throw new RecordingDamaged("class log: " + className + " is no class of this JDK");
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
