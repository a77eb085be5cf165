package io.jvmscope.dump;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** The class whose main method the launcher calls, from what the VM says of its command. */
final class MainClass {
  private static final String JAR = ".jar";

  private MainClass() {}

  /**
   * Returns the class in internal form; null if the VM did not say.
   *
   * @param file the VM's properties; it may be missing
   * @param looksIntoJars whether to read the manifest of a jar that was started; else its class is
   *     not known
   */
  static String of(Path file, boolean looksIntoJars) throws IOException {
    if (!Files.isRegularFile(file)) {
      return null;
    }
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    }
    String named = properties.getProperty("jvmscope.main.class");
    String command = named != null ? named : properties.getProperty("sun.java.command", "");
    Path jar = named != null ? null : jar(command, Path.of(properties.getProperty("user.dir", "")));
    if (jar != null) {
      return looksIntoJars ? classOfManifest(jar) : null;
    }
    String first = command.split(" ", 2)[0];
    String className = first.substring(first.indexOf('/') + 1); // MODULE/CLASS
    return className.isEmpty() || first.endsWith(JAR) ? null : className.replace('.', '/');
  }

  /** The jar with which a command begins, whose name may have blanks; null if there is none. */
  private static Path jar(String command, Path directory) {
    for (int end = command.indexOf(JAR); end >= 0; end = command.indexOf(JAR, end + 1)) {
      int next = end + JAR.length();
      Path path = directory.resolve(command.substring(0, next));
      if ((next == command.length() || command.charAt(next) == ' ') && Files.isRegularFile(path)) {
        return path;
      }
    }
    return null;
  }

  private static String classOfManifest(Path jar) {
    try (JarFile file = new JarFile(jar.toFile())) {
      Manifest manifest = file.getManifest();
      String name =
          manifest == null
              ? null
              : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
      return name == null ? null : name.strip().replace('.', '/');
    } catch (IOException e) {
      return null; // the program may have replaced it since
    }
  }
}
