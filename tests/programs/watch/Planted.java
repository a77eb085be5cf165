import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** Has the bottleneck that a line asks for, and says how long threads waited for it. */
final class Planted {
  static final int ROUNDS = 60;
  static final long HELD_NS = 20_000_000;
  static final int WRITES = 7;
  static final int READS = 5;
  static final int BYTES = 1000;
  static volatile long sum;

  /** What the threads wait for. */
  static final class Gate {}

  private Planted() {}

  public static void main(String[] arguments) throws Exception {
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    System.out.println("ready");
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      long waited =
          switch (line) {
            case "lock" -> lock();
            case "calm" -> calm();
            case "files" -> files();
            default -> sockets();
          };
      System.out.println(waited);
    }
  }

  /** Two threads hold a monitor in turn, so one waits all the time: returns their waits. */
  static long lock() throws InterruptedException {
    Gate gate = new Gate();
    AtomicInteger rest = new AtomicInteger(ROUNDS);
    long[] waited = new long[2];
    Thread[] threads = new Thread[2];
    for (int i = 0; i < threads.length; i++) {
      int number = i;
      threads[i] =
          new Thread(
              () -> {
                while (rest.getAndDecrement() > 0) {
                  waited[number] += pass(gate);
                }
              },
              "worker-" + i);
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return waited[0] + waited[1];
  }

  static long pass(Gate gate) {
    long before = System.nanoTime();
    synchronized (gate) {
      long waited = System.nanoTime() - before;
      held();
      return waited;
    }
  }

  /** The work under the monitor: it is compiled soon, and takes a known time. */
  static void held() {
    long end = System.nanoTime() + HELD_NS;
    long found = 1;
    while (System.nanoTime() < end) {
      found = mixed(found);
    }
    sum = found;
  }

  static long mixed(long value) {
    long found = value;
    for (int i = 0; i < 2_000; i++) {
      found = found * 6364136223846793005L + i;
    }
    return found;
  }

  /** Nothing is scarce. */
  static long calm() throws InterruptedException {
    Thread.sleep(1_500);
    return 0;
  }

  /** Writes and reads a file: expect WRITES and READS, each of BYTES. */
  static long files() throws Exception {
    File file = File.createTempFile("planted", ".bin");
    byte[] bytes = new byte[BYTES];
    try (OutputStream out = new FileOutputStream(file)) {
      for (int i = 0; i < WRITES; i++) {
        out.write(bytes);
      }
    }
    try (InputStream in = new FileInputStream(file)) {
      for (int i = 0; i < READS; i++) {
        sum += in.read(bytes);
      }
    }
    if (!file.delete()) {
      throw new IllegalStateException();
    }
    return 0;
  }

  /** Reads what another thread sends after a while, READS times: returns the time in reads. */
  static long sockets() throws Exception {
    long waited = 0;
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket other = server.accept()) {
      Thread sender = new Thread(() -> send(other), "sender");
      sender.start();
      byte[] bytes = new byte[BYTES];
      for (int i = 0; i < READS; i++) {
        long before = System.nanoTime();
        sum += socket.getInputStream().read(bytes);
        waited += System.nanoTime() - before;
      }
      sender.join();
    }
    return waited;
  }

  static void send(Socket socket) {
    try {
      for (int i = 0; i < READS; i++) {
        Thread.sleep(200);
        socket.getOutputStream().write(i);
      }
    } catch (Exception error) {
      throw new IllegalStateException(error);
    }
  }
}
