import java.util.concurrent.CountDownLatch;

/** Two threads are in the middle of their work when the VM ends. */
public class Endings {
  static final class Held {}
  static final class Gone {}
  static final class Thrown extends RuntimeException {}

  static final CountDownLatch waits = new CountDownLatch(1);

  static void tick() {
    byte[] bytes = new byte[(1 << 20) - 16];
  }

  static void work() {
    Object gone = new Gone();
    tick();
    gone = null;
    Object held = new Held();
    if (Thread.currentThread().isDaemon()) {
      waits.countDown();
      sleep();
    } else {
      System.exit(3);
    }
    held = null;
  }

  static void sleep() {
    try {
      Thread.sleep(1_000_000);
    } catch (InterruptedException e) {
      throw new Thrown();
    }
  }

  /** Ends by an exception that nobody catches. */
  static void fail() {
    Object gone = new Gone();
    tick();
    throw new Thrown();
  }

  public static void main(String[] args) throws Exception {
    Thread failing = new Thread(Endings::fail);
    failing.setUncaughtExceptionHandler((thread, thrown) -> {});
    failing.start();
    failing.join();
    Thread daemon = new Thread(Endings::work);
    daemon.setDaemon(true);
    daemon.start();
    waits.await();
    work();
  }
}
