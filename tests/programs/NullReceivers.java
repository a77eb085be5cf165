/** Native methods of the class library, called on null and on objects: without one is no call. */
public final class NullReceivers {
  private static Object lock;
  private static Class<?> type;

  private static void notifying() { // expect: calls=4
    lock.notify();
  }

  private static void waiting(long millis) throws InterruptedException { // expect: calls=4
    lock.wait(millis);
  }

  private static boolean asking() {
    return type.isAssignableFrom(String.class) // expect: executions=4
        && type.isInstance("") // expect: executions=3
        && type.desiredAssertionStatus();
  }

  private interface Action {
    void run() throws Exception;
  }

  private static void attempt(Action action) {
    try {
      action.run();
      System.out.println("done"); // expect: executions=5
    } catch (NullPointerException | IllegalMonitorStateException | InterruptedException e) {
      System.out.println(e.getClass().getName());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void all() {
    attempt(NullReceivers::notifying);
    attempt(() -> waiting(1));
    attempt(NullReceivers::asking);
  }

  public static void main(String[] args) {
    all();
    type = CharSequence.class;
    all();
    lock = new Object();
    all();
    synchronized (lock) {
      all();
    }
  }
}
