package io.jvmscope.study;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The start of the agent of static probes, before the program's main method. Its option is a
 * directory with the driver's socket and the file {@code options}: the bytes that buffers may take,
 * and patterns of classes, one a line.
 *
 * <p>Where no driver listens, as in a further VM that the program starts, nothing is changed.
 */
public final class StudyAgent {
  private StudyAgent() {}

  /** Connects to the driver and has classes that are loaded from now on get static probes. */
  public static void premain(String directory, Instrumentation instrumentation) throws IOException {
    List<String> options;
    DriverLink link;
    try {
      options = Files.readAllLines(Path.of(directory, "options"));
      link = new DriverLink(Path.of(directory, "socket"));
    } catch (IOException e) {
      return;
    }
    Memory.open(instrumentation);
    Buffers.allow(new Memory(Long.parseLong(options.get(0))));
    StudiedMethods methods = new StudiedMethods();
    List<Pattern> classes = options.stream().skip(1).map(Pattern::compile).toList();
    StudyTransformer transformer = new StudyTransformer(classes, methods);
    transformer.warmUp();
    ThreadState.current();
    instrumentation.addTransformer(transformer, false);
    StudyServer server = new StudyServer(Path.of(directory), link, methods, transformer);
    Thread thread = new Thread(null, server, "jvmscope-study");
    thread.setDaemon(true);
    thread.start();
  }
}
