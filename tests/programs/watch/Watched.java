import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.concurrent.locks.LockSupport;

/** Does known things when a line comes in, says so, and ends at the end of its input. */
final class Watched {
  static final Object LOCK = new Object();
  static final int COLLECTIONS = 5;
  static long sum;

  static final class First {}

  static final class One {}

  static final class Two {}

  static final class Three {}

  static final class Last {}

  private Watched() {}

  public static void main(String[] arguments) throws Exception {
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    System.out.println("ready");
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      if (line.equals("act")) {
        act();
      }
      heat();
      System.out.println("done");
    }
  }

  static void act() throws Exception {
    load("First", "One", "Two", "Three", "Last");
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    contend();
    synchronized (LOCK) {
      LOCK.wait(20);
    }
    LockSupport.parkNanos(LOCK, 20_000_000);
    Thread.sleep(20);
  }

  static void heat() {
    for (int i = 0; i < 30_000; i++) {
      sum += hot(i);
    }
  }

  static void load(String... names) throws ClassNotFoundException {
    for (String name : names) {
      Class.forName("Watched$" + name);
    }
  }

  /** One thread waits for the monitor that this one has. */
  static void contend() throws InterruptedException {
    Thread waiting = new Thread(Watched::enter, "waiting");
    synchronized (LOCK) {
      waiting.start();
      while (waiting.getState() != Thread.State.BLOCKED) {
        Thread.onSpinWait();
      }
    }
    waiting.join();
  }

  static void enter() {
    synchronized (LOCK) {
      sum++;
    }
  }

  static int hot(int value) {
    int found = value;
    for (int i = 0; i < 50; i++) {
      found = found * 31 + i;
    }
    return found;
  }
}
