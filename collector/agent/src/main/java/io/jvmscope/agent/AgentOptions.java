package io.jvmscope.agent;

import io.jvmscope.probe.Probes;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the launcher tells the agent: a file of {@code key=value} lines in UTF-8. */
final class AgentOptions {
  /** Directory that the agent writes into; made if it is not there. */
  Path raw;

  /** Directory of the prepared JDK. */
  Path cache;

  /** File that holds the arena; by default {@code arena} in {@link #raw}. */
  Path arena;

  /** Bytes that nodes may use before contexts fold. Default 8 GiB. */
  long maxBytes = 8L << 30;

  /** Classes to instrument, of the program's; all when empty. The JDK's are always. */
  final List<ClassGlob> include = new ArrayList<>();

  /** Classes of the program not to instrument. */
  final List<ClassGlob> exclude = new ArrayList<>();

  /** What is recorded beside calls and blocks. */
  Probes probes;

  private final Map<String, String> ofProbes = new HashMap<>(); // what chooses them, by key

  /** Class of a user that looks at the trees; null: none. */
  String consumer;

  /** Where its classes are: directories and jars, as in a class path. */
  String consumerPath = "";

  /** Bytecodes of a thread between two looks. */
  long consumerEvery = 10_000_000;

  /** Fold every recursive call into its nearest ancestor of the same method. */
  boolean foldsRecursion;

  /** Method at whose entry the recording starts: {@code Class.method} or with a descriptor. */
  String from;

  /** The command line as it was written, program first; empty: nothing was added to it. */
  final List<String> written = new ArrayList<>();

  /** The options that were added to it for the VM. */
  final List<String> added = new ArrayList<>();

  /** Where the VM writes which classes it loads; null: it can be asked. */
  File loaded;

  /** Size of the stacks of threads that name none, in bytes; 0: the VM's. */
  long defaultStack;

  /** Are the VM's flags pinned? Recorded only. */
  boolean deterministic = true;

  /** Reads the file; {@link IllegalArgumentException} names the line that is wrong. */
  static AgentOptions read(Path file) throws IOException {
    AgentOptions options = new AgentOptions();
    for (String line : content(file).split("\n")) {
      int equals = line.indexOf('=');
      if (line.isEmpty()) {
        continue;
      }
      if (equals < 0) {
        throw new IllegalArgumentException("jvmscope: " + file + ": no '=' in: " + line);
      }
      options.set(line.substring(0, equals), line.substring(equals + 1));
    }
    if (options.raw == null || options.cache == null) {
      throw new IllegalArgumentException("jvmscope: " + file + ": raw= and cache= are required");
    }
    options.probes = Probes.of(options.ofProbes);
    if (options.arena == null) {
      options.arena = options.raw.resolve("arena");
    }
    makeDirectory(options.raw.toFile());
    return options;
  }

  /** By plain means, too: {@code Files} would leave a buffer with the thread of the program. */
  private static void makeDirectory(File directory) throws IOException {
    if (!directory.mkdirs() && !directory.isDirectory()) {
      throw new IOException(directory + ": the directory cannot be made");
    }
  }

  /** Read by plain means: the classes behind channels and readers are left to the program. */
  private static String content(Path file) throws IOException {
    try (FileInputStream in = new FileInputStream(file.toFile())) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void set(String key, String value) throws IOException {
    switch (key) {
      case "raw" -> raw = path(value);
      case "cache" -> cache = Path.of(value);
      case "arena" -> arena = path(value);
      case "max_bytes" -> maxBytes = Long.parseLong(value);
      case "include" -> include.add(new ClassGlob(value.replace('.', '/')));
      case "exclude" -> exclude.add(new ClassGlob(value.replace('.', '/')));
      case "consumer" -> consumer = value;
      case "consumer_path" -> consumerPath = value;
      case "consumer_every" -> consumerEvery = Long.parseLong(value);
      case "recursion" -> foldsRecursion = value.equals("fold");
      case "from" -> from = value.isEmpty() ? null : value.replace('/', '.');
      case "written" -> written.add(unescaped(value));
      case "added" -> added.add(unescaped(value));
      case "loaded" -> loaded = new File(value);
      case "default_stack" -> defaultStack = Long.parseLong(value);
      case "vm_threads" -> {} // the dump's business
      case "deterministic" -> deterministic = Boolean.parseBoolean(value);
      default -> {
        if (!Probes.isOption(key)) {
          throw new IllegalArgumentException("jvmscope: unknown agent option: " + key);
        }
      }
    }
    if (Probes.isOption(key)) {
      ofProbes.put(key, value);
    }
  }

  /** A word whose line feeds are written as backslash and n, and backslashes twice. */
  private static String unescaped(String value) {
    if (value.indexOf('\\') < 0) {
      return value;
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\\') {
        c = value.charAt(++i);
        c = c == 'n' ? '\n' : c;
      }
      text.append(c);
    }
    return text.toString();
  }

  /** A path; {@code %{pid}} in it is the process id, where several VMs get the same options. */
  private static Path path(String value) throws IOException {
    String id = "%{pid}";
    return Path.of(value.contains(id) ? value.replace(id, Long.toString(Agent.pid())) : value);
  }

  /** Is a class of the program instrumented? */
  boolean instruments(String className) {
    return (include.isEmpty() || matches(include, className)) && !matches(exclude, className);
  }

  private static boolean matches(List<ClassGlob> patterns, String className) {
    for (ClassGlob pattern : patterns) {
      if (pattern.matches(className)) {
        return true;
      }
    }
    return false;
  }
}
