package io.jvmscope.agent;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * What comes before the code of any agent: the tree moves into its file. Threads that such code
 * starts would enter methods while their counts are copied. So {@code AgentPort} has it {@link
 * #run} where another agent is the first; else {@link Agent} does.
 */
final class Beginning implements Runnable {
  /** The part of a file's address space that is mapped beyond the limit of nodes. */
  private static final long SLACK = 1L << 30;

  /** As far as links lead, which have 32 bits and are of 8 bytes. */
  private static final long MOST_BYTES = 1L << 35;

  /** The exit status of {@code record} if it failed. */
  private static final int FAILED = 125;

  private static final String OPTION = "-javaagent:";
  private static final String JAR = "/jvmscope-agent.jar=";

  private static Beginning begun; // null: not yet

  final AgentOptions options;
  final Messages messages;

  private Beginning(Path optionsFile) throws IOException {
    options = AgentOptions.read(optionsFile);
    messages = new Messages(options.raw.resolve("agent.txt"));
  }

  /** Begins with the options that this VM was given for the agent; {@code this} has none. */
  @Override
  public void run() {
    for (String option : CallingContext.runtimeArguments()) {
      int jar = option.startsWith(OPTION) ? option.indexOf(JAR) : -1;
      if (jar >= 0) {
        try {
          of(option.substring(jar + JAR.length()));
        } catch (IOException e) {
          fail(e);
        }
      }
    }
  }

  /** Begins, unless that is done; null: the recording whose options we have inherited is over. */
  static Beginning of(String optionsFile) throws IOException {
    if (begun == null && new File(optionsFile).exists()) {
      Beginning made = new Beginning(Path.of(optionsFile));
      made.openArena();
      begun = made;
    }
    return begun;
  }

  /** A recording that cannot begin ends the VM: by an exception that would be an abort. */
  static void fail(IOException e) {
    String told = "error: " + e.getMessage() + "\n";
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.err)) {
      out.write(told.getBytes(StandardCharsets.UTF_8));
    } catch (IOException ignored) {
      // nobody listens
    }
    if (begun != null) {
      begun.options.arena.toFile().delete(); // or there would be something to read
    }
    Runtime.getRuntime().halt(FAILED);
  }

  /**
   * Gives a new file its length.
   *
   * @param advice what helps beside another limit; may be empty
   */
  static void lengthen(RandomAccessFile file, Path path, long bytes, String advice)
      throws IOException {
    try {
      file.setLength(bytes);
    } catch (IOException e) {
      throw tooLarge(path, bytes, "made", e, "raise the limit (ulimit -f)" + advice);
    }
  }

  private void openArena() throws IOException {
    long bytes = Math.min(MOST_BYTES, options.maxBytes + (options.maxBytes >> 2) + SLACK);
    RandomAccessFile file = new RandomAccessFile(options.arena.toFile(), "rw");
    if (!moveTo(file, bytes)) {
      messages.println("not enough space for the arena: " + options.arena);
      throw new IOException(options.arena + ": not enough space");
    }
    CallingContext.describe(Runtime.version().feature(), Agent.pid(), options.probes.mark());
  }

  /** Moves the tree into a file; a limit of the process may be in its way. */
  private boolean moveTo(RandomAccessFile file, long bytes) throws IOException {
    String advice =
        ", or give a smaller --max-memory: the file has a quarter more, and another "
            + (SLACK >> 20)
            + " MiB";
    lengthen(file, options.arena, bytes, advice);
    try {
      return CallingContext.moveTo(file.getChannel(), file.getFD(), bytes, options.maxBytes);
    } catch (OutOfMemoryError e) { // no addresses are left to map the file to
      String help = "raise the limit (ulimit -v)" + advice;
      throw tooLarge(options.arena, bytes, "mapped", e, help);
    }
  }

  /** The file is sparse, but a limit of the process counts all of it. */
  private static IOException tooLarge(
      Path path, long bytes, String done, Throwable reason, String help) {
    String what = "a file of " + (bytes >> 20) + " MiB, most of it empty, cannot be " + done;
    return new IOException(path + ": " + what + ": " + reason.getMessage() + "; " + help, reason);
  }
}
