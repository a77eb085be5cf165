package io.jvmscope.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The intrinsics that bypass instrumented bodies, as a value for {@code -XX:ControlIntrinsic}. The
 * VM's library holds the names of all of them in one stretch, in the order of their ids; those to
 * keep (natives, method handle linkers, what the interpreter replaces too) are listed in a
 * resource. A name that is in no list, of a JDK that was not tried, is disabled: slower at worst,
 * never wrong.
 */
final class Intrinsics {
  private static final byte[] START = "_hashCode\0_getClass\0".getBytes(StandardCharsets.US_ASCII);

  private Intrinsics() {}

  /** The option's value; empty when the library does not hold the names where expected. */
  static String disabled(Path javaHome) throws IOException {
    Set<String> kept = kept();
    List<String> disabled = new ArrayList<>();
    for (String name : names(Files.readAllBytes(library(javaHome)))) {
      if (!kept.contains(name)) {
        disabled.add("-" + name);
      }
    }
    return String.join(",", disabled);
  }

  static Path library(Path javaHome) {
    return javaHome.resolve("lib/server/libjvm.so");
  }

  private static Set<String> kept() throws IOException {
    try (InputStream in = Intrinsics.class.getResourceAsStream("kept-intrinsics.txt")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new HashSet<>(List.of(text.split("\\s+")));
    }
  }

  private static List<String> names(byte[] library) {
    List<String> names = new ArrayList<>();
    int at = indexOf(library, START);
    while (at >= 0 && at < library.length && library[at] == '_') {
      int end = at;
      while (library[end] != 0) {
        end++;
      }
      names.add(new String(library, at, end - at, StandardCharsets.US_ASCII));
      at = end + 1;
    }
    return names;
  }

  private static int indexOf(byte[] text, byte[] sought) {
    for (int at = 0; at <= text.length - sought.length; at++) {
      int k = 0;
      while (k < sought.length && text[at + k] == sought[k]) {
        k++;
      }
      if (k == sought.length) {
        return at;
      }
    }
    return -1;
  }
}
