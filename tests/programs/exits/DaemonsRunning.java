import java.util.concurrent.CountDownLatch;

/** Main returns while daemon threads run: one spins, one sleeps, one waits. */
public final class DaemonsRunning {
  private static volatile int turns;

  private static void spin(CountDownLatch ready) { // expect: unstable
    ready.countDown();
    while (turns >= 0) {
      turns = turns + 1 & 0xffff;
    }
  }

  private static void sleep(CountDownLatch ready) { // expect: calls=1
    ready.countDown();
    try {
      Thread.sleep(1_000_000);
      System.out.println("never"); // expect: executions=0
    } catch (InterruptedException e) {
      throw new IllegalStateException(e); // expect: executions=0
    }
  }

  private static synchronized void await(CountDownLatch ready) { // expect: calls=1
    ready.countDown();
    try {
      DaemonsRunning.class.wait();
      System.out.println("never"); // expect: executions=0
    } catch (InterruptedException e) {
      throw new IllegalStateException(e); // expect: executions=0
    }
  }

  private static void start(String name, Runnable body) { // expect: calls=3
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
  }

  public static void main(String[] args) throws InterruptedException {
    CountDownLatch ready = new CountDownLatch(3);
    start("spinner", () -> spin(ready));
    start("sleeper", () -> sleep(ready));
    start("waiter", () -> await(ready));
    ready.await();
    System.out.println("done"); // expect: exit=0 executions=1
  }
}
