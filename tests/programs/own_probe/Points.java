/** Code of every kind at which snippets are inserted, with what it does worked out in a test. */
public class Points {
  static long total;
  static int[] numbers = new int[3];
  int field;

  int work(int n, String text) {
    field = n;
    total += field;
    numbers[1] = n;
    int read = numbers[1];
    synchronized (this) {
      read++;
    }
    try {
      fail(read);
    } catch (IllegalStateException e) {
      read--;
    }
    return read + text.length();
  }

  static void fail(int n) {
    throw new IllegalStateException("no");
  }

  static int depth(int n) {
    return n == 0 ? 0 : 1 + depth(n - 1);
  }

  public static void main(String[] args) throws Exception {
    Points points = new Points();
    points.work(5, "abc");
    points.work(7, "de");
    depth(3);
    Shop.main(args);
    Product.main();
    Victim.main();
    if (args.length > 0) {
      new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start().waitFor();
    }
  }
}
