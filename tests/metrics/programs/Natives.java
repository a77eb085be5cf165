import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;

/**
 * Calls native methods of the JDK in a thread of its own: availableProcessors 3 times in work and
 * twice below it, and open0 once, which throws. For that its function calls the constructor of
 * FileNotFoundException by JNI, and this the native fillInStackTrace. So 7 calls of 3 methods, one
 * exception, one call by JNI. What loads classes in that thread, main has done before.
 */
public final class Natives {
  private static int n;

  public static void main(String[] args) throws InterruptedException {
    work();
    Thread worker = new Worker();
    worker.start();
    worker.join();
  }

  private static final class Worker extends Thread {
    Worker() {
      super("worker");
    }

    @Override
    public void run() {
      work();
    }
  }

  static void work() {
    for (int i = 0; i < 3; i++) {
      n += Runtime.getRuntime().availableProcessors();
    }
    below();
    open();
  }

  private static void below() {
    for (int i = 0; i < 2; i++) {
      n += Runtime.getRuntime().availableProcessors();
    }
  }

  private static void open() {
    try (FileInputStream in = new FileInputStream("/no such file")) {
      n++;
    } catch (FileNotFoundException e) {
      n--;
    } catch (IOException e) {
      n++;
    }
  }
}
