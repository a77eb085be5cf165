package languages;

/**
 * Where the programs of all languages meet. Each gives its algorithm to {@link #run}, which runs it
 * twice: what happens below {@link #measured}, the second time, is the algorithm without the start
 * of its language and without what is loaded, linked and compiled at its first use.
 */
public final class Work {
  private Work() {}

  /** An algorithm; its answer is the same line in every language. */
  @FunctionalInterface
  public interface Task {
    String of(int n);
  }

  /** Prints {@code ALGORITHM SIZE ANSWER} for a size {@code SIZE:n}, or {@code n}. */
  public static void run(String algorithm, String size, Task task) {
    String[] words = size.split(":");
    int n = Integer.parseInt(words[words.length - 1]);
    String first = task.of(n);
    String second = measured(task, n);
    if (!first.equals(second)) {
      throw new IllegalStateException(first + ", then " + second);
    }
    System.out.println(algorithm + " " + words[0] + " " + second);
  }

  private static String measured(Task task, int n) {
    return task.of(n);
  }
}
