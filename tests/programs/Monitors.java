/** Monitors: synchronized methods and blocks, recursive locks, wait and notify in strict turn. */
public final class Monitors {
  private int turn;

  private synchronized int locked(int depth) { // expect: calls=5
    return depth == 0 ? 0 : 1 + locked(depth - 1);
  }

  private static synchronized int global(int n) { // expect: calls=2
    if (n < 0) {
      throw new IllegalArgumentException("negative"); // expect: executions=1
    }
    return n;
  }

  private int nested(Object other) {
    synchronized (this) {
      synchronized (other) {
        synchronized (this) {
          return Thread.holdsLock(other) ? 1 : 0; // expect: executions=1
        }
      }
    }
  }

  private int thrown(Object lock, int divisor) {
    try {
      synchronized (lock) {
        return 10 / divisor; // expect: executions=2
      }
    } catch (ArithmeticException e) {
      return Thread.holdsLock(lock) ? 1 : 2; // expect: executions=1
    }
  }

  private void partner() { // expect: calls=1
    try {
      synchronized (this) { // blocks until main waits
        turn = 1; // expect: executions=1
        notifyAll();
        while (turn != 2) {
          wait(); // expect: executions=1
        }
        turn = 3; // expect: executions=1
        notifyAll();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e); // expect: executions=0
    }
  }

  private void handOver() throws InterruptedException {
    Thread thread = new Thread(this::partner, "partner");
    synchronized (this) {
      thread.start();
      while (turn != 1) {
        wait(); // expect: executions=1
      }
      turn = 2; // expect: executions=1
      notifyAll();
      while (turn != 3) {
        wait(); // expect: executions=1
      }
    }
    thread.join();
    System.out.println("turn " + turn);
  }

  private void unowned() {
    try {
      notifyAll(); // expect: executions=1
      turn = -1; // expect: executions=0
    } catch (IllegalMonitorStateException e) {
      System.out.println("not the owner"); // expect: executions=1
    }
  }

  private void interrupted() {
    Thread.currentThread().interrupt();
    try {
      synchronized (this) {
        wait(); // expect: executions=1
        turn = -1; // expect: executions=0
      }
    } catch (InterruptedException e) {
      System.out.println("interrupted " + Thread.interrupted()); // expect: executions=1
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Monitors m = new Monitors();
    System.out.println(m.locked(4) + global(3) + m.nested("other"));
    try {
      global(-1);
    } catch (IllegalArgumentException e) {
      System.out.println(Thread.holdsLock(Monitors.class));
    }
    System.out.println(m.thrown(m, 5) + m.thrown(m, 0));
    m.handOver();
    m.unowned();
    m.interrupted();
  }
}
