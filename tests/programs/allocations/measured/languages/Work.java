package languages;

import java.lang.management.ManagementFactory;

/**
 * Runs an algorithm twice, as the suite's class of this name does, and prints the bytes that the VM
 * says its thread allocated the second time.
 */
public final class Work {
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Work() {}

  /** An algorithm. */
  @FunctionalInterface
  public interface Task {
    String of(int n);
  }

  public static void run(String algorithm, String size, Task task) {
    String[] words = size.split(":");
    int n = Integer.parseInt(words[words.length - 1]);
    task.of(n);
    THREADS.getCurrentThreadAllocatedBytes();
    long before = THREADS.getCurrentThreadAllocatedBytes();
    task.of(n);
    long after = THREADS.getCurrentThreadAllocatedBytes();
    System.out.println(after - before);
  }
}
