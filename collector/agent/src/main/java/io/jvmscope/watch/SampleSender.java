package io.jvmscope.watch;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;

/**
 * Puts the samples of many queues into few messages, since each message costs the VM and the
 * watcher more than a sample does. A sample leaves its queue once its message is taken.
 *
 * <p>A message: {@code samples}, the clock since 1970, all values in Base64, and for each queue the
 * method, the caller, and how many of the samples are its, in their order.
 */
final class SampleSender {
  private static final int MOST_SAMPLES = 2_048; // in a message

  private final Consumer<List<String>> out;
  private final ByteBuffer copies = ByteBuffer.allocate(MOST_SAMPLES * Samples.SAMPLE_BYTES);
  private final List<String> groups = new ArrayList<>();
  private final List<Samples> queues = new ArrayList<>();
  private final List<Integer> counts = new ArrayList<>();

  SampleSender(Consumer<List<String>> out) {
    this.out = out;
  }

  /** Begins a message; what a last one had that was not sent is still in its queues. */
  void begin() {
    copies.clear();
    groups.clear();
    queues.clear();
    counts.clear();
  }

  /**
   * Adds what waits in a queue to the message, and sends each that is full.
   *
   * @param most how many messages at most; what is left stays in the queue
   * @return how many messages were sent
   */
  int add(int method, String caller, Samples samples, int most) {
    int nSent = 0;
    boolean isAll = false;
    while (!isAll && nSent < most) {
      int n = samples.copy(copies);
      isAll = copies.hasRemaining();
      if (n > 0) {
        groups.addAll(List.of(Integer.toString(method), caller, Integer.toString(n)));
        queues.add(samples);
        counts.add(n);
      }
      if (!isAll) {
        send();
        nSent++;
      }
    }
    return nSent;
  }

  /** Sends what has been added since the last message, if anything has. */
  void send() {
    if (queues.isEmpty()) {
      return;
    }
    byte[] values = Arrays.copyOf(copies.array(), copies.position());
    String since = Long.toString(Clocks.clockSince1970());
    List<String> message = new ArrayList<>();
    message.addAll(List.of("samples", since, Base64.getEncoder().encodeToString(values)));
    message.addAll(groups);
    out.accept(message);
    for (int k = 0; k < queues.size(); k++) { // needs no room: they are told once
      queues.get(k).drop(counts.get(k));
    }
    begin();
  }

  /** Sends all that waits in a queue, to which nothing is added any more. */
  void finish(int method, String caller, Samples samples) {
    begin();
    add(method, caller, samples, Integer.MAX_VALUE);
    send();
    samples.close();
  }
}
