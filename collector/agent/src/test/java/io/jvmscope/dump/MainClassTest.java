package io.jvmscope.dump;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MainClassTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource(
      nullValues = "null",
      value = {
        "p.Main one two.jar, p/Main",
        "m/p.Main, p/Main",
        "app.jar, q/Started",
        "app.jar --verbose p.Other, q/Started",
        "my app.jar other.jar, q/Started",
        "lib/app.jar, q/Started",
        "plain.jar, null",
        "broken.jar x, null",
        "missing.jar x, null",
        "'', null"
      })
  void theClassIsThatOfTheCommandOrOfItsJar(String command, String expected) throws IOException {
    writeJars();
    assertEquals(expected, MainClass.of(properties("sun.java.command", command), true));
  }

  @Test
  void jarsAreLeftAloneUnlessAsked() throws IOException {
    writeJars();
    assertNull(MainClass.of(properties("sun.java.command", "my app.jar p.Main"), false));
    assertNull(MainClass.of(properties("sun.java.command", "missing.jar"), false));
  }

  @Test
  void aNamedClassCountsMore() throws IOException {
    writeJars();
    assertEquals("p/Named", MainClass.of(properties("jvmscope.main.class", "p.Named"), true));
  }

  @Test
  void withoutPropertiesItIsNotKnown() throws IOException {
    assertNull(MainClass.of(directory.resolve("none"), true));
  }

  private Path properties(String name, String value) throws IOException {
    Properties properties = new Properties();
    properties.setProperty("user.dir", directory.toString());
    properties.setProperty("sun.java.command", "app.jar");
    properties.setProperty(name, value);
    Path file = directory.resolve("vm.properties");
    try (OutputStream out = Files.newOutputStream(file)) {
      properties.store(out, null);
    }
    return file;
  }

  private void writeJars() throws IOException {
    Files.createDirectories(directory.resolve("lib"));
    for (String name : new String[] {"app.jar", "my app.jar", "lib/app.jar"}) {
      writeJar(name, "q.Started");
    }
    writeJar("plain.jar", null);
    Files.writeString(directory.resolve("broken.jar"), "no jar");
  }

  private void writeJar(String name, String mainClass) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (mainClass != null) {
      manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, mainClass);
    }
    try (OutputStream out = Files.newOutputStream(directory.resolve(name))) {
      new JarOutputStream(out, manifest).close();
    }
  }
}
