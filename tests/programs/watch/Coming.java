import java.io.InputStream;
import java.util.Scanner;

/** Has classes of one name come and go, each with a loader of its own, and calls each. */
public final class Coming {
  static final int CLASSES = 300;
  static final int CALLS = 1_000;
  static final int SOME = 10;
  static final int PAUSE_MS = 100;
  public static volatile int sink;

  private Coming() {}

  /** What comes and goes. */
  public static final class Work implements Runnable {
    @Override
    public void run() {
      sink++;
    }
  }

  /** Loads one class itself. */
  static final class Own extends ClassLoader {
    Class<?> define(byte[] file) {
      return defineClass("Coming$Work", file, 0, file.length);
    }
  }

  public static void main(String[] arguments) throws Exception {
    byte[] file;
    try (InputStream in = Coming.class.getResourceAsStream("Coming$Work.class")) {
      file = in.readAllBytes();
    }
    Scanner input = new Scanner(System.in);
    work(file);
    System.out.println("ready");
    input.nextLine();
    for (int k = 0; k < CLASSES; k++) {
      work(file);
      if (k % SOME == 0) {
        System.gc(); // without a pause behind it: the agent may be about to tell
        Thread.sleep(PAUSE_MS);
      }
    }
    System.gc();
    System.out.println("done");
    input.nextLine();
  }

  static void work(byte[] file) throws Exception {
    Runnable work = (Runnable) new Own().define(file).getConstructor().newInstance();
    for (int k = 0; k < CALLS; k++) {
      work.run();
    }
  }
}
