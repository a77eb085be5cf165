package io.jvmscope.agent;

import io.jvmscope.classfile.ClassFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The classes of the JDK that runs, by module, each list sorted by path. */
final class JdkImageClasses {
  private final List<Source> sources = new ArrayList<>();

  /** A class of a module; its path in the image is {@code /modules/MODULE/NAME.class}. */
  record Source(String module, Path path) {
    /** Internal form. */
    String className() {
      String name = path.subpath(2, path.getNameCount()).toString();
      return name.substring(0, name.length() - ".class".length());
    }

    ClassFile read() throws IOException {
      return new ClassFile(Files.readAllBytes(path));
    }
  }

  JdkImageClasses() throws IOException {
    FileSystem image = FileSystems.getFileSystem(URI.create("jrt:/"));
    try (Stream<Path> modules = Files.list(image.getPath("/modules"))) {
      for (Path module : modules.sorted().toList()) {
        addModule(module);
      }
    }
  }

  private void addModule(Path module) throws IOException {
    try (Stream<Path> files = Files.walk(module)) {
      files
          .filter(p -> p.toString().endsWith(".class"))
          .filter(p -> !p.getFileName().toString().equals("module-info.class"))
          .sorted()
          .forEach(p -> sources.add(new Source(module.getFileName().toString(), p)));
    }
  }

  List<Source> all() {
    return sources;
  }

  List<Source> ofModule(String module) {
    return sources.stream().filter(source -> source.module.equals(module)).toList();
  }
}
