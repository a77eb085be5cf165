package io.jvmscope.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * What the agent has to say: {@code agent.txt} of the recording. It writes bytes, without a Writer:
 * that needs classes of java.base which the VM loads with the first message only, and the message
 * may come while the VM loads one of them; it would then fail with a ClassCircularityError.
 */
final class Messages {
  private final LogFile out;

  Messages(Path file) throws IOException {
    out = new LogFile(file);
  }

  /** Has the VM load now what a message needs. */
  void rehearse() throws IOException {
    out.append("".concat("").getBytes(StandardCharsets.UTF_8));
  }

  /** Appends a line; on a full disk there is nowhere to say so. */
  synchronized void println(String text) {
    try {
      out.append(text.concat("\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      return;
    }
  }
}
