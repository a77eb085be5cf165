import java.util.ArrayList;
import java.util.List;

/** Virtual threads on several carriers call native methods; the first argument is their library. */
public class Spread {
  static final int THREADS = 24;
  static final int TIMES = 40_000;

  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    List<Thread> threads = new ArrayList<>();
    for (int k = 0; k < THREADS; k++) {
      int times = TIMES + k;
      threads.add(Thread.ofVirtual().name("spread-" + k).start(() -> call(times)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  static void call(int times) {
    for (int i = 0; i < times; i++) {
      Transitions.leaf();
      Thread.yield(); // to another carrier, perhaps
      Transitions.down(3);
      if (i % 7 == 0) {
        Thread.onSpinWait();
        Thread.yield();
      }
    }
  }
}
