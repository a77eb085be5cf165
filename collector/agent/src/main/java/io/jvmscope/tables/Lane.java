package io.jvmscope.tables;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Does work in the order in which it came, in a thread of its own. Its queue is bounded: whoever
 * brings work faster than it is done waits, so that memory stays bounded. After the first failure
 * it does nothing more, and {@link #put} throws what was thrown.
 */
public final class Lane implements AutoCloseable {
  /** One piece of work. */
  public interface Work {
    void run() throws IOException;
  }

  private static final Work END = () -> {};

  private final BlockingQueue<Work> queue;
  private final Thread thread;
  private volatile Throwable failure;
  private volatile boolean isAbandoned;
  private volatile boolean isReported;

  /** Starts the thread; so many pieces of work may wait. */
  public Lane(String name, int mostWaiting) {
    queue = new ArrayBlockingQueue<>(mostWaiting);
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Appends work; waits while the queue is full. */
  public void put(Work work) throws IOException {
    check();
    await(() -> queue.put(work));
  }

  /** Waits until all work is done, and ends the thread; throws what was not thrown before. */
  public void finish() throws IOException {
    end();
    if (!isReported) { // a second time it would be its own cause where resources are closed
      check();
    }
  }

  /** Leaves undone what still waits. */
  public void abandon() {
    isAbandoned = true;
  }

  /** Ends the thread; what still waits is left undone, unless {@link #finish} came before. */
  @Override
  public void close() {
    abandon();
    end();
  }

  private void end() {
    if (thread.isAlive()) {
      await(() -> queue.put(END));
      await(thread::join);
    }
  }

  private void run() {
    for (Work work = take(); work != END; work = take()) {
      if (failure == null && !isAbandoned) {
        try {
          work.run();
        } catch (RuntimeException | Error | IOException e) { // thrown again where work is put
          failure = e;
        }
      }
    }
  }

  private Work take() {
    Work[] taken = new Work[1];
    await(() -> taken[0] = queue.take());
    return taken[0];
  }

  /** Throws what work has thrown. */
  public void check() throws IOException {
    Throwable thrown = failure;
    isReported = thrown != null;
    if (thrown instanceof IOException e) {
      throw e;
    } else if (thrown instanceof RuntimeException e) {
      throw e;
    } else if (thrown != null) {
      throw (Error) thrown;
    }
  }

  private interface Waiting {
    void run() throws InterruptedException;
  }

  private static void await(Waiting waiting) {
    try {
      waiting.run();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e); // nobody interrupts the threads of a dump
    }
  }
}
