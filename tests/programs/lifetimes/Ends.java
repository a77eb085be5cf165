import java.util.ArrayList;
import java.util.List;

/**
 * Ends in the way that its argument says, in the middle of a call, while a thread waits: `halt`,
 * `memory` (no handler), `exit-on-memory`, `crash-on-memory` (by options of the VM), `kill`.
 */
public class Ends {
  static final class Held {}
  static final class Operand {}
  static final class Gone {}
  static final class Waiting {}
  static final class Listed {
    final long[] data = new long[1 << 17]; // 1 MiB
  }

  static List<Listed> listed = new ArrayList<>();

  static void tick() {
    byte[] bytes = new byte[(1 << 20) - 16];
  }

  static synchronized void await() {
    Waiting waiting = new Waiting();
    try {
      while (true) {
        Ends.class.wait();
      }
    } catch (InterruptedException e) {
      throw new AssertionError(waiting);
    }
  }

  static int end(String how) throws Exception {
    Object gone = new Gone();
    tick();
    gone = null;
    tick();
    if (how.equals("halt")) {
      Runtime.getRuntime().halt(5);
    }
    if (how.equals("kill")) {
      long id = ProcessHandle.current().pid();
      new ProcessBuilder("kill", "-9", Long.toString(id)).start().waitFor();
      Thread.sleep(1_000_000);
    }
    fill();
    return 0;
  }

  static void fill() {
    while (true) {
      listed.add(new Listed());
    }
  }

  static int use(Object object, int number) {
    return object == null ? 0 : number;
  }

  public static void main(String[] args) throws Exception {
    Thread waiter = new Thread(Ends::await);
    waiter.setDaemon(true);
    waiter.start();
    while (waiter.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    Object held = new Held();
    use(new Operand(), end(args[0]));
    use(held, 1);
  }
}
