import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/** Spends known times, and writes how long each call of a kind took by the clock of the VM. */
class Busy {
  static final int TIMES = 40;
  static final Map<String, StringBuilder> SPENT = new TreeMap<>();
  static long last;

  static void act() throws IOException {
    SPENT.clear();
    for (int time = 0; time < TIMES; time++) {
      spin(500);
      add("short");
      spin(2000);
      add("long");
      twice();
      add("twice");
      recursive(3);
      add("recursive");
      try {
        failing();
      } catch (IllegalStateException expected) {
        add("failing");
      }
      parked();
      add("parked");
    }
    StringBuilder text = new StringBuilder();
    SPENT.forEach((kind, times) -> text.append(kind).append(times).append('\n'));
    Files.writeString(Path.of(System.getProperty("java.io.tmpdir"), "busy.txt"), text);
  }

  /** Outside of the methods that are measured. */
  static void add(String kind) {
    SPENT.computeIfAbsent(kind, k -> new StringBuilder()).append(' ').append(last);
  }

  static void until(long end) {
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  static void spin(int us) {
    long start = System.nanoTime();
    until(start + us * 1000L);
    last = System.nanoTime() - start;
  }

  static void twice() {
    long start = System.nanoTime();
    until(start + 500_000);
    until(start + 1_000_000);
    last = System.nanoTime() - start;
  }

  static void recursive(int depth) { // the outermost call has the time of all
    long start = System.nanoTime();
    until(start + 200_000);
    if (depth > 1) {
      recursive(depth - 1);
    }
    last = System.nanoTime() - start;
  }

  static void failing() {
    long start = System.nanoTime();
    until(start + 2_000_000);
    IllegalStateException failure = new IllegalStateException();
    last = System.nanoTime() - start;
    throw failure;
  }

  static void parked() {
    long start = System.nanoTime();
    LockSupport.parkNanos(1_000_000);
    last = System.nanoTime() - start;
  }
}
