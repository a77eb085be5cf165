import java.io.InputStream;
import java.util.Scanner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/**
 * Loads a class slowly, tries to load one that lacks its superclass, and calls methods in workers
 * of the common pool, each in a task of its own.
 */
public final class Late {
  static final int CALLS = 1_000;
  static final int TASKS = 30_000;
  public static volatile int sink;

  private Late() {}

  /** What the slow class extends. */
  public static class Above {}

  /** Is loaded while probes are put in. */
  public static final class Slow extends Above implements Runnable {
    @Override
    public void run() {
      sink++;
    }
  }

  /** What cannot be loaded. */
  public static class Missing {}

  /** Lacks its superclass. */
  public static final class Optional extends Missing {}

  /** Loads the nested classes itself, the superclass of one as late as it is let. */
  static final class Own extends ClassLoader {
    final CountDownLatch isLoading = new CountDownLatch(1);
    final CountDownLatch mayGoOn = new CountDownLatch(1);

    @Override
    protected Class<?> loadClass(String name, boolean isResolved) throws ClassNotFoundException {
      if (name.equals("Late$Missing")) {
        throw new ClassNotFoundException(name);
      }
      if (name.equals("Late$Above")) {
        isLoading.countDown();
        await(mayGoOn);
      }
      if (!name.equals("Late$Slow") && !name.equals("Late$Optional")) {
        return super.loadClass(name, isResolved);
      }
      Class<?> known = findLoadedClass(name);
      return known != null ? known : define(name);
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream in = getResourceAsStream(name + ".class")) {
        byte[] file = in.readAllBytes();
        return defineClass(name, file, 0, file.length);
      } catch (java.io.IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Scanner input = new Scanner(System.in);
    Own loader = new Own();
    Class<?>[] found = new Class<?>[1];
    Thread slow = new Thread(() -> found[0] = load(loader, "Late$Slow"));
    slow.start();
    await(loader.isLoading);
    System.out.println("ready");
    input.nextLine();
    loader.mayGoOn.countDown();
    slow.join();
    System.out.println("loaded");
    input.nextLine();
    Runnable work = (Runnable) found[0].getConstructor().newInstance();
    for (int k = 0; k < CALLS; k++) {
      work.run();
    }
    load(loader, "Late$Optional");
    System.out.println("called");
    input.nextLine();
    for (int k = 0; k < TASKS; k++) {
      CompletableFuture<Void> task = CompletableFuture.runAsync(Late::task);
      while (!task.isDone()) { // not in this thread
        Thread.yield();
      }
      if (k % 100 == 0) {
        Thread.sleep(1); // the worker goes idle
      }
    }
    System.out.println("done");
    input.nextLine();
  }

  static Class<?> load(ClassLoader loader, String name) {
    try {
      return Class.forName(name, true, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  static void task() {
    sink++;
  }
}
