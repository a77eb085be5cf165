package battery;

import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** The buffers that channels keep for a thread, and what of the limit is left to the program. */
public final class Buffers {
  private Buffers() {}

  public static void main(String[] arguments) throws Exception {
    System.out.println("before the first file: " + kept());
    Files.readAllBytes(Path.of("classes", "battery", "Buffers.class"));
    System.out.println("after it: " + kept());
    ByteBuffer[] buffers = new ByteBuffer[1000];
    int count = 0;
    try {
      while (true) {
        buffers[count] = ByteBuffer.allocateDirect(1 << 12);
        count++;
      }
    } catch (OutOfMemoryError e) {
      System.out.println(count + " more: " + e.getMessage());
    }
  }

  private static int kept() throws Exception {
    Field caches = Class.forName("sun.nio.ch.Util").getDeclaredField("bufferCache");
    caches.setAccessible(true);
    Object cache = ((ThreadLocal<?>) caches.get(null)).get();
    Field count = cache.getClass().getDeclaredField("count");
    count.setAccessible(true);
    return count.getInt(cache);
  }
}
