import java.util.concurrent.CyclicBarrier;

/**
 * Four threads allocate at the same time, between two barriers; time passes while all of them wait.
 * What each has made is of classes of its own. The second argument says which kind of threads.
 */
public class Crowd {
  private static final int THREADS = 4;
  private static final int PHASES = 5;
  private static final int MANY = 200;

  static class Thing {
    Thing other;

    Thing() {
      Watch.see(this);
    }
  }

  static final class Kept0 extends Thing {}
  static final class Kept1 extends Thing {}
  static final class Kept2 extends Thing {}
  static final class Kept3 extends Thing {}
  static final class Local0 extends Thing {}
  static final class Local1 extends Thing {}
  static final class Local2 extends Thing {}
  static final class Local3 extends Thing {}
  static final class Handed0 extends Thing {}
  static final class Handed1 extends Thing {}
  static final class Handed2 extends Thing {}
  static final class Handed3 extends Thing {}

  static final Thing[] hands = new Thing[THREADS];
  static final CyclicBarrier barrier = new CyclicBarrier(THREADS, Watch::tick);

  static Thing kept(int thread) {
    return switch (thread) {
      case 0 -> new Kept0();
      case 1 -> new Kept1();
      case 2 -> new Kept2();
      default -> new Kept3();
    };
  }

  static Thing local(int thread) {
    return switch (thread) {
      case 0 -> new Local0();
      case 1 -> new Local1();
      case 2 -> new Local2();
      default -> new Local3();
    };
  }

  static Thing handed(int thread) {
    return switch (thread) {
      case 0 -> new Handed0();
      case 1 -> new Handed1();
      case 2 -> new Handed2();
      default -> new Handed3();
    };
  }

  static void await() {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Keeps a chain that grows for as many phases as the thread's number says, and starts again. */
  static void work(int thread) {
    Thing chain = null;
    for (int phase = 0; phase < PHASES; phase++) {
      for (int k = 0; k < MANY; k++) {
        Thing made = kept(thread);
        made.other = k % 2 == 0 ? chain : null;
        chain = k % 2 == 0 ? made : chain;
        local(thread).other = chain;
      }
      Thing mine = local(thread);
      hands[thread] = handed(thread);
      await();
      int next = (thread + 1) % THREADS;
      mine.other = hands[next];
      hands[next] = null;
      await();
      if (phase % (thread + 1) == thread) {
        chain = null;
      }
    }
    await();
  }

  static Thread start(boolean isVirtual, Runnable work) throws Exception {
    if (!isVirtual) {
      Thread thread = new Thread(work);
      thread.start();
      return thread;
    }
    return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
  }

  public static void main(String[] args) throws Exception {
    boolean isVirtual = args.length > 0 && args[0].equals("virtual");
    Watch.begin(isVirtual ? new String[] {} : args);
    Thread[] threads = new Thread[THREADS];
    for (int k = 0; k < THREADS; k++) {
      int thread = k;
      threads[k] = start(isVirtual, () -> work(thread));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    Watch.tick();
    Watch.end();
  }
}
