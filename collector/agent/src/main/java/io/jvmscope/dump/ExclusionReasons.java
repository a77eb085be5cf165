package io.jvmscope.dump;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Why methods of a prepared JDK were left as they are: {@code exclusions.tsv} of its directory,
 * with class, method, descriptor and reason in each line.
 */
final class ExclusionReasons {
  private final Map<String, String> reasons = new HashMap<>();

  /** Reads the reasons; there are none without a prepared JDK. */
  static ExclusionReasons read(Path cache) throws IOException {
    ExclusionReasons read = new ExclusionReasons();
    Path file = cache == null ? null : cache.resolve("exclusions.tsv");
    if (file != null && Files.exists(file)) {
      for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
        String[] cells = line.split("\t", 4);
        if (cells.length == 4) {
          read.reasons.put(key(cells[0], cells[1], cells[2]), cells[3]);
        }
      }
    }
    return read;
  }

  private static String key(String className, String method, String descriptor) {
    return className + '.' + method + descriptor;
  }

  /** Why a method is left as it is; null if it is not. */
  String find(String className, String method, String descriptor) {
    return reasons.get(key(className, method, descriptor));
  }
}
