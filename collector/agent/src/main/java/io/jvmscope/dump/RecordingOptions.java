package io.jvmscope.dump;

import io.jvmscope.probe.Probes;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the dump must know of how a recording was made.
 *
 * @param arena the file with the trees
 * @param cache directory of the prepared JDK; null if none was used
 * @param probes what was recorded beside calls and blocks
 * @param patches what the program's own options patched java.base with
 * @param hasTree calls were counted
 * @param vmThreads keep the VM's own threads, whether or not they ran code of the program
 * @param mainClass internal form; null if the VM did not say
 * @param failures why classes were not instrumented, by internal name
 */
record RecordingOptions(
    Path arena,
    Path cache,
    Probes probes,
    boolean hasTree,
    boolean vmThreads,
    List<Path> patches,
    String mainClass,
    Map<String, String> failures) {
  private static final String NOT_INSTRUMENTED = "not instrumented: ";

  private static List<Path> patches(String paths) {
    List<Path> patches = new ArrayList<>();
    for (String path : paths.split(File.pathSeparator)) {
      if (!path.isEmpty()) {
        patches.add(Path.of(path));
      }
    }
    return patches;
  }

  /**
   * Reads the agent's options file, to which the launcher adds {@code patch}, and what the agent
   * left in the raw directory.
   */
  static RecordingOptions read(Path raw, Path optionsFile) throws IOException {
    Map<String, String> options = new HashMap<>();
    for (String line : lines(optionsFile)) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        options.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    Path arena = raw.resolve("arena");
    if (!Files.exists(arena) && options.containsKey("arena")) {
      arena = Path.of(options.get("arena"));
    }
    String cache = options.get("cache");
    boolean hasTree = !"false".equals(options.get("tree"));
    return new RecordingOptions(
        arena,
        cache == null ? null : Path.of(cache),
        Probes.of(options),
        hasTree,
        Boolean.parseBoolean(options.get("vm_threads")),
        patches(options.getOrDefault("patch", "")),
        MainClass.of(raw.resolve("vm.properties"), !hasTree),
        failures(raw.resolve("agent.txt")));
  }

  private static Iterable<String> lines(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return java.util.List.of();
    }
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines()::iterator;
  }

  private static Map<String, String> failures(Path messages) throws IOException {
    Map<String, String> failures = new HashMap<>();
    for (String line : lines(messages)) {
      int colon = line.indexOf(": ", NOT_INSTRUMENTED.length());
      if (line.startsWith(NOT_INSTRUMENTED) && colon > 0) {
        String className = line.substring(NOT_INSTRUMENTED.length(), colon);
        failures.put(className, "instrumentation failed: " + line.substring(colon + 2));
      }
    }
    return failures;
  }

  /** Why a class was not instrumented; null if that did not fail. */
  String failure(String className) {
    return failures.get(className);
  }
}
